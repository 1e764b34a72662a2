import { ramp } from '#engine/image/numbers.ts'
import { createPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { boxBlur } from '#engine/image/plane.ts'
import type { ModelFamily, VideoFamily } from '../../family.ts'

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
