import { unitRange } from '#engine/image/normalization.ts'
import { ramp } from '#engine/image/numbers.ts'
import { createPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { boxBlur } from '#engine/image/plane.ts'
import type { ModelFamily, OnnxTensor, VideoFamily } from '../family.ts'
import { channelsOf, colourTensor, planeAt, sessionOf } from '../session.ts'

/** Longer side of the network's coarse input, refined in the whole frame. */
const coarseSide = 512
const stateInputs = ['r1', 'r2', 'r3', 'r4']

/** Robust Video Matting (Lin et al. 2022): its recurrent state passes from frame to frame. */
export const robustVideoMatting: VideoFamily = {
  id: 'robust-video-matting',
  task: 'videoMatte',
  files: ['model'],
  async *findMattes(frames, sessions) {
    const session = sessionOf(sessions, 'model')
    let memory: Record<string, OnnxTensor> = Object.fromEntries(stateInputs.map((name) => [`${name}i`, nothing()]))
    for await (const frame of frames) {
      const ratio: OnnxTensor = { type: 'float32', dims: [1], data: Float32Array.of(ratioFor(frame)) }
      const seen = { src: colourTensor(frame, unitRange), ...memory, downsample_ratio: ratio }
      const results = await session.run(seen, ['pha', ...stateInputs.map((name) => `${name}o`)])
      memory = Object.fromEntries(stateInputs.map((name) => [`${name}i`, results[`${name}o`] ?? nothing()]))
      yield planeAt(channelsOf(results.pha, 'pha'), 0)
    }
  },
}

const nothing = (): OnnxTensor => ({ type: 'float32', dims: [1, 1, 1, 1], data: new Float32Array(1) })

const ratioFor = ({ width, height }: Picture) => Math.min(1, coarseSide / Math.max(width, height))

/** Weight of the mean of a frame's neighbours where nothing moves. */
const smoothing = 0.6
/** Mean change of levels around a pixel, from nothing moves to everything does. */
const stillBelow = 4
const movingAbove = 16
const reach = 3

interface Found {
  frame: Picture
  alpha: Plane
}

interface Neighbour {
  alpha: Plane
  still: Plane
}

/**
 * Draws alpha towards the mean of the neighbouring frames in unchanged regions, to avoid flicker.
 */
export const frameByFrame = (id: string, family: ModelFamily<'subjectMatte'>): VideoFamily => ({
  id,
  task: 'videoMatte',
  files: family.files,
  async *findMattes(frames, sessions) {
    const { signal } = new AbortController()
    let last: Found | undefined
    let before: Neighbour | undefined
    for await (const frame of frames) {
      const { alpha } = await family.perform({ picture: frame, subject: 'person' }, sessions, signal)
      if (last) {
        const stillness = stillnessOf(last.frame, frame)
        yield smoothAlpha(last.alpha, [before, { alpha, still: stillness }])
        before = { alpha: last.alpha, still: stillness }
      }
      last = { frame, alpha }
    }
    if (last) yield smoothAlpha(last.alpha, [before])
  },
})

function smoothAlpha({ width, height, data }: Plane, neighbours: readonly (Neighbour | undefined)[]): Plane {
  const beside = neighbours.filter((other) => other !== undefined)
  const out = createPlane(width, height)
  for (let k = 0; k < data.length; k++) {
    const own = data[k] as number
    let drawn = 0
    for (const other of beside) drawn += (other.still.data[k] as number) * ((other.alpha.data[k] as number) - own)
    out.data[k] = own + (smoothing * drawn) / 2
  }
  return out
}

/** 1 where two frames agree, 0 where they differ strongly. */
function stillnessOf(one: Picture, other: Picture): Plane {
  const change = createPlane(one.width, one.height)
  for (let i = 0; i < change.data.length; i++) {
    for (let c = 4 * i; c < 4 * i + 3; c++) {
      change.data[i] = (change.data[i] as number) + Math.abs((one.data[c] as number) - (other.data[c] as number)) / 3
    }
  }
  const around = boxBlur(change, reach)
  for (let i = 0; i < around.data.length; i++)
    around.data[i] = 1 - ramp(stillBelow, movingAbove, around.data[i] as number)
  return around
}
