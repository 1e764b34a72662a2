import { boundsOf, boxOverlap, clipBox, connectedRegions, growBox, unionBox } from '#engine/image/geometry.ts'
import { dilate } from '#engine/image/morphology.ts'
import { unitRange } from '#engine/image/normalization.ts'
import { quantile } from '#engine/image/numbers.ts'
import type { Picture, Plane, Size } from '#engine/image/picture.ts'
import { cropPicture, cropPlane } from '#engine/image/pixels.ts'
import { resizeSmooth, shrink } from '#engine/image/plane.ts'
import { randomSequence } from '#engine/image/random.ts'
import type { Box } from '#shared/media.ts'
import type { ModelFamily, OnnxSession, OnnxTensor } from '../family.ts'
import { channelsOf, colourTensor, fixedSize, pictureOf, resampleTo, sessionOf } from '../session.ts'

/** Pixels around a hole in which its surroundings are measured. */
const surroundingsReach = 24
/** Median absolute value of normal noise, as a share of its standard deviation. */
const medianShare = 0.6745
/** Share of independent noise left after subtracting the local mean. */
const detailShare = Math.sqrt(8 / 9)
const minPixels = 50

/**
 * Adds the grain of the surroundings, which networks leave out, measured in each channel by the
 * median of the finest detail (robust, Donoho 1995). Changes and returns the filling.
 */
function addGrain(filled: Picture, around: Picture, share: Plane): Picture {
  const near = dilate(share, surroundingsReach).data
  const missing = [0, 1, 2].map((c) => {
    const wanted = noiseOf(around, c, (i) => share.data[i] === 0 && (near[i] as number) > 0)
    const present = noiseOf(filled, c, (i) => (share.data[i] as number) > 0)
    return Math.sqrt(Math.max(0, wanted ** 2 - present ** 2)) / detailShare
  })
  if (Math.max(...missing) < 0.5) return filled
  const random = randomSequence(1)
  for (let i = 0; i < share.data.length; i++) {
    if (share.data[i] === 0) continue
    // Approximately normal, of deviation 1: three uniform numbers (Irwin–Hall: 3 / 12).
    const noise = 2 * (random() + random() + random() - 1.5)
    for (let c = 0; c < 3; c++)
      filled.data[4 * i + c] = (filled.data[4 * i + c] as number) + noise * (missing[c] as number)
  }
  return filled
}

/** Standard deviation in levels. */
function noiseOf({ width, height, data }: Picture, channel: number, counts: (index: number) => boolean): number {
  const sizes: number[] = []
  for (let y = 1; y < height - 1; y++) {
    for (let i = y * width + 1; i < y * width + width - 1; i++) {
      if (!counts(i)) continue
      let sum = 0
      for (const row of [i - width, i, i + width]) {
        for (let k = row - 1; k <= row + 1; k++) sum += data[4 * k + channel] as number
      }
      sizes.push(Math.abs((data[4 * i + channel] as number) - sum / 9))
    }
  }
  return sizes.length < minPixels ? 0 : quantile(Float32Array.from(sizes), 0.5) / medianShare
}

/** `hole` is 0 or 1. */
type Fill = (part: Picture, hole: Plane, session: OnnxSession) => Promise<Picture>

/** Least pixels of context around a hole, and least side of a part. */
const minContext = 128
const minSide = 512
/** Pixels by which the network's hole exceeds the mask, because rims of objects reach beyond it. */
const holeMargin = 3

const kinds: Record<string, Fill> = {
  /** MI-GAN (Sargsyan et al. 2023), pipeline in one file: any size, 255 is kept. */
  migan: async (part, hole, session) => {
    const size = part.width * part.height
    const colours = new Uint8Array(3 * size)
    const kept = new Uint8Array(size)
    for (let i = 0; i < size; i++) {
      for (let c = 0; c < 3; c++) colours[c * size + i] = part.data[4 * i + c] as number
      kept[i] = hole.data[i] === 0 ? 255 : 0
    }
    const dims = (channels: number) => [1, channels, part.height, part.width]
    return filling(session, {
      image: { type: 'uint8', dims: dims(3), data: colours },
      mask: { type: 'uint8', dims: dims(1), data: kept },
    })
  },
  /**
   * LaMa (Suvorov et al. 2022) as exported by Carve and OpenCV: colours 0 to 1, 1 is filled, output
   * in levels.
   */
  lama: async (part, hole, session) => {
    return filling(session, {
      image: colourTensor(part, unitRange),
      mask: { type: 'float32', dims: [1, 1, part.height, part.width], data: hole.data },
    })
  },
}

async function filling(session: OnnxSession, { image, mask }: Record<'image' | 'mask', OnnxTensor>): Promise<Picture> {
  const [name = ''] = session.outputs
  const [first, second] = [imageInput(session), session.inputs.find((input) => input.name !== imageInput(session))]
  const results = await session.run({ [first]: image, [second?.name ?? 'mask']: mask }, [name])
  return pictureOf(channelsOf(results[name], name), (value) => value)
}

function imageInput({ inputs }: OnnxSession): string {
  const found = inputs.find(({ name }) => name === 'image') ?? inputs.find(({ shape }) => shape[1] === 3)
  return (found ?? inputs[0])?.name ?? 'image'
}

/**
 * Fills each hole in the part around it, because networks lose detail when they see a large picture
 * as a whole. Pixels with mask 0 do not change.
 */
export const inpainting: readonly ModelFamily<'inpaint'>[] = Object.entries(kinds).map(([id, fill]) => ({
  id,
  task: 'inpaint',
  files: ['model'],
  async perform({ picture, mask }, sessions, signal) {
    const session = sessionOf(sessions, 'model')
    const out = { ...picture, data: picture.data.slice() }
    for (const box of partsAroundHoles(mask)) {
      signal.throwIfAborted()
      const part = cropPicture(out, box)
      const share = cropPlane(mask, box.x, box.y, box.width, box.height)
      const filled = await fillPart(part, share, fill, session)
      blendIntoHole(out, addGrain(filled, part, share), share, box)
    }
    return { picture: out }
  },
}))

async function fillPart(part: Picture, share: Plane, fill: Fill, session: OnnxSession): Promise<Picture> {
  const size = fixedSize(session, imageInput(session)) ?? part
  const hole = holeAt(share, size)
  return resampleTo(await fill(resampleTo(part, size), hole, session), part)
}

/** 1 where a pixel of this size covers or touches the hole. */
function holeAt(share: Plane, { width, height }: Size): Plane {
  const wide = dilate(share, holeMargin)
  const same = width === share.width && height === share.height
  const sized = same
    ? { ...wide, data: wide.data.slice() }
    : width < share.width
      ? shrink(wide, width, height)
      : resizeSmooth(wide, width, height)
  for (let i = 0; i < sized.data.length; i++) sized.data[i] = (sized.data[i] as number) > 0 ? 1 : 0
  return sized
}

/** Close holes share one part. */
function partsAroundHoles(mask: Plane): Box[] {
  const { regions } = connectedRegions(mask.width, mask.height, (i) => (mask.data[i] as number) > 0)
  const parts: Box[] = []
  for (const { box } of regions) {
    let hole = box
    for (let k = parts.length - 1; k >= 0; k--) {
      const other = parts[k] as Box
      if (boxOverlap(growBox(hole, minContext), other) === 0) continue
      hole = unionBox(hole, other)
      parts.splice(k, 1)
      k = parts.length
    }
    parts.push(hole)
  }
  return parts.map((hole) => squareAround(hole, mask))
}

/** A square with the hole's surroundings, as far as the picture permits. */
function squareAround(hole: Box, picture: Size): Box {
  const side = Math.max(
    minSide,
    2 * Math.max(hole.width, hole.height),
    Math.max(hole.width, hole.height) + 2 * minContext,
  )
  const span = (start: number, length: number, room: number): [number, number] => {
    const size = Math.min(side, room)
    return [Math.min(Math.max(0, Math.round(start + length / 2 - size / 2)), room - size), size]
  }
  const [x, width] = span(hole.x, hole.width, picture.width)
  const [y, height] = span(hole.y, hole.height, picture.height)
  return { x, y, width, height }
}

function blendIntoHole(out: Picture, filled: Picture, share: Plane, { x, y }: Box): void {
  const hole = boundsOf(share, 0)
  const box = hole && clipBox(hole, share)
  if (!box) return
  for (let row = box.y; row < box.y + box.height; row++) {
    for (let column = box.x; column < box.x + box.width; column++) {
      const i = row * share.width + column
      const weight = share.data[i] as number
      if (weight === 0) continue
      const to = 4 * ((y + row) * out.width + x + column)
      for (let c = 0; c < 3; c++) {
        out.data[to + c] = (out.data[to + c] as number) * (1 - weight) + (filled.data[4 * i + c] as number) * weight
      }
    }
  }
}
