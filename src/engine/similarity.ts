import type { Picture, Plane } from './picture.ts'
import { isOpaque } from './pixels.ts'

interface Point {
  x: number
  y: number
}

/**
 * Turns, enlarges and moves: a point of the source comes to `scale · R(angle) · point + (x, y)`; a positive angle (radians) turns clockwise
 * as the picture is seen. Coordinates are in pixels, 0, 0 being the upper left corner of a picture (not the middle of its first pixel).
 */
export interface Similarity {
  scale: number
  angle: number
  x: number
  y: number
}

/** The similarity that turns by `angle`, scales by `scale` and brings the point `from` of the source to `to`. */
export function similarityTo(from: Point, to: Point, angle: number, scale: number): Similarity {
  const turned = transform({ scale, angle, x: 0, y: 0 }, from)
  return { scale, angle, x: to.x - turned.x, y: to.y - turned.y }
}

/** Where a point of the source comes to. */
export function transform({ scale, angle, x, y }: Similarity, point: Point): Point {
  const cos = scale * Math.cos(angle)
  const sin = scale * Math.sin(angle)
  return { x: cos * point.x - sin * point.y + x, y: sin * point.x + cos * point.y + y }
}

/** The way back. */
export function inverse(similarity: Similarity): Similarity {
  const { scale, angle, x, y } = similarity
  const back = { scale: 1 / scale, angle: -angle, x: 0, y: 0 }
  const origin = transform(back, { x, y })
  return { ...back, x: -origin.x, y: -origin.y }
}

/** First one, then the other. */
export function chain(first: Similarity, second: Similarity): Similarity {
  const { x, y } = transform(second, first)
  return { scale: first.scale * second.scale, angle: first.angle + second.angle, x, y }
}

/**
 * Resamples a picture in one pass to `width` × `height` pixels of the target: Catmull-Rom's cubic, which is as wide as a pixel of the target
 * when that is the larger one, so that every pixel of the source counts by its share (area-correct). Beyond its rim the picture goes
 * on as it ends there; alpha is handled premultiplied.
 */
export function resamplePicture(picture: Picture, similarity: Similarity, width: number, height: number): Picture {
  const opaque = isOpaque(picture)
  const { channels, size, placed } = readable(picture, similarity, width, height, opaque)
  const data = new Uint8ClampedArray(4 * width * height)
  if (opaque) data.fill(255)
  resample(channels, size, placed, width, height, (i, values) => {
    const alpha = opaque ? 1 : Math.min(Math.max(values[3] as number, 0), 255) / 255
    if (alpha <= 0.002) return
    data[4 * i] = (values[0] as number) / alpha
    data[4 * i + 1] = (values[1] as number) / alpha
    data[4 * i + 2] = (values[2] as number) / alpha
    if (!opaque) data[4 * i + 3] = 255 * alpha
  })
  return { width, height, data }
}

/**
 * Resamples a plane as {@link resamplePicture} does a picture. Its values stay between 0 and 1. Where the target lies outside of it, it has the value
 * `outside`, or goes on as it ends at its rim.
 */
export function resamplePlane(
  plane: Plane,
  similarity: Similarity,
  width: number,
  height: number,
  outside?: number,
): Plane {
  const { channels, size, placed } = readablePlane(plane, similarity)
  const data = new Float32Array(width * height)
  resample(channels, size, placed, width, height, (i, values, inside) => {
    data[i] = inside || outside === undefined ? Math.min(Math.max(values[0] as number, 0), 1) : outside
  })
  return { width, height, data }
}

interface Readable {
  /** Channels one after the other for each pixel. */
  channels: Float32Array
  size: { width: number; height: number; depth: number }
  placed: Similarity
}

/** The part of a picture that the target shows, averaged over whole pixels where it is far too fine, with its colours premultiplied. */
function readable(picture: Picture, similarity: Similarity, width: number, height: number, opaque: boolean): Readable {
  const box = seenPart(picture, similarity, width, height)
  const step = stepFor(similarity.scale)
  const depth = opaque ? 3 : 4
  const size = { width: Math.ceil(box.width / step), height: Math.ceil(box.height / step), depth }
  const channels = new Float32Array(size.width * size.height * depth)
  const { data } = picture
  for (let y = 0; y < size.height; y++) {
    const [top, bottom] = [box.y + y * step, Math.min(box.y + (y + 1) * step, box.y + box.height)]
    for (let x = 0; x < size.width; x++) {
      const [left, right] = [box.x + x * step, Math.min(box.x + (x + 1) * step, box.x + box.width)]
      const to = (y * size.width + x) * depth
      const share = 1 / ((bottom - top) * (right - left))
      for (let row = top; row < bottom; row++) {
        for (let at = 4 * (row * picture.width + left), end = at + 4 * (right - left); at < end; at += 4) {
          const weight = opaque ? share : (share * (data[at + 3] as number)) / 255
          channels[to] = (channels[to] as number) + weight * (data[at] as number)
          channels[to + 1] = (channels[to + 1] as number) + weight * (data[at + 1] as number)
          channels[to + 2] = (channels[to + 2] as number) + weight * (data[at + 2] as number)
          if (!opaque) channels[to + 3] = (channels[to + 3] as number) + 255 * weight
        }
      }
    }
  }
  return { channels, size, placed: chain({ scale: step, angle: 0, x: box.x, y: box.y }, similarity) }
}

function readablePlane(plane: Plane, similarity: Similarity): Readable {
  const step = stepFor(similarity.scale)
  if (step === 1) return { channels: plane.data, size: { ...plane, depth: 1 }, placed: similarity }
  const size = { width: Math.ceil(plane.width / step), height: Math.ceil(plane.height / step), depth: 1 }
  const channels = new Float32Array(size.width * size.height)
  const counts = new Float32Array(channels.length)
  for (let y = 0, i = 0; y < plane.height; y++) {
    const row = Math.floor(y / step) * size.width
    for (let x = 0; x < plane.width; x++, i++) {
      const to = row + Math.floor(x / step)
      channels[to] = (channels[to] as number) + (plane.data[i] as number)
      counts[to] = (counts[to] as number) + 1
    }
  }
  for (let i = 0; i < channels.length; i++) channels[i] = (channels[i] as number) / (counts[i] as number)
  return { channels, size, placed: chain({ scale: step, angle: 0, x: 0, y: 0 }, similarity) }
}

/** So many pixels are averaged first that what is left is at most halved. */
function stepFor(scale: number): number {
  return Math.max(1, Math.floor(0.5 / scale))
}

/** The whole pixels that a target of this size needs, with what the kernel reaches beyond them. */
function seenPart(picture: Picture, similarity: Similarity, width: number, height: number) {
  const back = inverse(similarity)
  const corners = [
    transform(back, { x: 0, y: 0 }),
    transform(back, { x: width, y: 0 }),
    transform(back, { x: 0, y: height }),
    transform(back, { x: width, y: height }),
  ]
  const margin = Math.ceil(3 * Math.max(1, 1 / similarity.scale)) + 1
  const range = (values: number[], length: number): [number, number] => {
    const from = Math.min(Math.max(Math.floor(Math.min(...values)) - margin, 0), length - 1)
    return [from, Math.min(Math.max(Math.ceil(Math.max(...values)) + margin, from + 1), length)]
  }
  const [left, right] = range(
    corners.map(({ x }) => x),
    picture.width,
  )
  const [top, bottom] = range(
    corners.map(({ y }) => y),
    picture.height,
  )
  return { x: left, y: top, width: right - left, height: bottom - top }
}

/** For every pixel of the target, the values of all channels, and whether its middle lies inside of the source. */
function resample(
  channels: Float32Array,
  { width: sourceWidth, height: sourceHeight, depth }: Readable['size'],
  placed: Similarity,
  width: number,
  height: number,
  use: (index: number, values: Float64Array, inside: boolean) => void,
): void {
  const back = inverse(placed)
  const cos = back.scale * Math.cos(back.angle)
  const sin = back.scale * Math.sin(back.angle)
  const kernel = kernelOf(Math.max(1, back.scale))
  const { taps, weights } = kernel
  const columns = new Int32Array(taps)
  const values = new Float64Array(4)
  const [second, third, fourth] = [Math.min(1, depth - 1), Math.min(2, depth - 1), depth - 1]
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const sx = cos * (x + 0.5) - sin * (y + 0.5) + back.x
      const sy = sin * (x + 0.5) + cos * (y + 0.5) + back.y
      const across = Math.round((sx - 0.5) * phases)
      const down = Math.round((sy - 0.5) * phases)
      const left = (across >> phaseBits) - taps / 2 + 1
      const top = (down >> phaseBits) - taps / 2 + 1
      const columnWeights = taps * (across & (phases - 1))
      const rowWeights = taps * (down & (phases - 1))
      for (let c = 0; c < taps; c++) {
        const column = left + c
        columns[c] = depth * (column < 0 ? 0 : column >= sourceWidth ? sourceWidth - 1 : column)
      }
      let [v0, v1, v2, v3] = [0, 0, 0, 0]
      for (let r = 0; r < taps; r++) {
        const vertical = weights[rowWeights + r] as number
        if (vertical === 0) continue
        const line = top + r
        const row = depth * sourceWidth * (line < 0 ? 0 : line >= sourceHeight ? sourceHeight - 1 : line)
        for (let c = 0; c < taps; c++) {
          const weight = vertical * (weights[columnWeights + c] as number)
          const at = row + (columns[c] as number)
          v0 += weight * (channels[at] as number)
          v1 += weight * (channels[at + second] as number)
          v2 += weight * (channels[at + third] as number)
          v3 += weight * (channels[at + fourth] as number)
        }
      }
      values[0] = v0
      values[1] = v1
      values[2] = v2
      values[3] = v3
      use(i, values, sx >= 0 && sy >= 0 && sx <= sourceWidth && sy <= sourceHeight)
    }
  }
}

/** Places between two pixels for which the weights are known beforehand. */
const phaseBits = 8
const phases = 1 << phaseBits

/** The weights of the pixels around a place, which add up to 1, for every phase: `taps` of them, half on either side. */
function kernelOf(stretch: number): { taps: number; weights: Float64Array } {
  const reach = Math.ceil(2 * stretch)
  const taps = 2 * reach
  const weights = new Float64Array(taps * phases)
  for (let phase = 0; phase < phases; phase++) {
    const at = phase * taps
    let sum = 0
    for (let k = 0; k < taps; k++) {
      const weight = catmullRom((k - reach + 1 - phase / phases) / stretch)
      weights[at + k] = weight
      sum += weight
    }
    for (let k = 0; k < taps; k++) weights[at + k] = (weights[at + k] as number) / sum
  }
  return { taps, weights }
}

function catmullRom(offset: number): number {
  const x = Math.abs(offset)
  if (x >= 2) return 0
  return x < 1 ? (1.5 * x - 2.5) * x * x + 1 : ((-0.5 * x + 2.5) * x - 4) * x + 2
}
