import type { Box } from '#shared/media.ts'
import { composeSimilarities, cornersOf, inverse, type Similarity } from './geometry.ts'
import { dilateMask } from './morphology.ts'
import type { Picture } from './picture.ts'
import { isOpaque } from './pixels.ts'
import { averageBlocks, catmullRom, type Premultiplied } from './resample.ts'

/**
 * Catmull-Rom's cubic, widened when reducing, so that every source pixel counts (area-correct). The
 * border is repeated outside; alpha is handled premultiplied.
 */
export function resamplePicture(picture: Picture, similarity: Similarity, width: number, height: number): Picture {
  const box = neededPart(picture, similarity, width, height)
  const { channels, size, placed } = averageForScale(picture, similarity, box, stepFor(similarity.scale))
  const data = new Uint8ClampedArray(4 * width * height)
  const back = inverse(placed)
  const cos = back.scale * Math.cos(back.angle)
  const sin = back.scale * Math.sin(back.angle)
  const { taps, weights } = kernelOf(Math.max(1, back.scale))
  const columns = new Int32Array(taps)
  const stride = 4 * size.width
  const blocks = isOpaque(picture) ? undefined : coveredBlocks(channels, size, taps)
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i += 4) {
      const across = Math.round((cos * (x + 0.5) - sin * (y + 0.5) + back.x - 0.5) * phases)
      const down = Math.round((sin * (x + 0.5) + cos * (y + 0.5) + back.y - 0.5) * phases)
      const column = across >> phaseBits
      const line = down >> phaseBits
      if (blocks?.isEmpty(clampIndex(column, size.width), clampIndex(line, size.height))) continue
      const columnWeights = taps * (across & (phases - 1))
      const rowWeights = taps * (down & (phases - 1))
      for (let c = 0; c < taps; c++) columns[c] = 4 * clampIndex(column - taps / 2 + 1 + c, size.width)
      let red = 0
      let green = 0
      let blue = 0
      let cover = 0
      for (let r = 0; r < taps; r++) {
        const vertical = weights[rowWeights + r] as number
        if (vertical === 0) continue
        const row = stride * clampIndex(line - taps / 2 + 1 + r, size.height)
        for (let c = 0; c < taps; c++) {
          const weight = vertical * (weights[columnWeights + c] as number)
          const at = row + (columns[c] as number)
          red += weight * (channels[at] as number)
          green += weight * (channels[at + 1] as number)
          blue += weight * (channels[at + 2] as number)
          cover += weight * (channels[at + 3] as number)
        }
      }
      const alpha = Math.min(cover, 255) / 255
      if (alpha <= 0.002) continue
      data[i] = red / alpha
      data[i + 1] = green / alpha
      data[i + 2] = blue / alpha
      data[i + 3] = 255 * alpha
    }
  }
  return { width, height, data }
}

/**
 * Averages blocks of `step` × `step` pixels; returns the similarity from the result to the target.
 */
function averageForScale(picture: Picture, similarity: Similarity, box: Box, step: number) {
  const placed = composeSimilarities({ scale: step, angle: 0, x: box.x, y: box.y }, similarity)
  return { ...averageBlocks(picture, box, step, step), placed }
}

/**
 * Faster {@link resamplePicture} for opaque model input: block means first, the rest is bilinear.
 */
export function resampleForModel(picture: Picture, similarity: Similarity, width: number, height: number): Picture {
  const box = neededPart(picture, similarity, width, height)
  const step = Math.max(1, Math.round(1 / similarity.scale))
  const { channels, size, placed } = averageForScale(picture, similarity, box, step)
  const data = new Uint8ClampedArray(4 * width * height).fill(255)
  const back = inverse(placed)
  const [cos, sin] = [back.scale * Math.cos(back.angle), back.scale * Math.sin(back.angle)]
  const stride = 4 * size.width
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i += 4) {
      const across = clampIndex(cos * (x + 0.5) - sin * (y + 0.5) + back.x - 0.5, size.width)
      const down = clampIndex(sin * (x + 0.5) + cos * (y + 0.5) + back.y - 0.5, size.height)
      const left = Math.floor(across)
      const top = Math.floor(down)
      const u = across - left
      const v = down - top
      const above = stride * top + 4 * left
      const right = left + 1 < size.width ? 4 : 0
      const below = top + 1 < size.height ? stride : 0
      for (let c = 0; c < 3; c++) {
        const at = above + c
        const upper = channels[at]! + (channels[at + right]! - channels[at]!) * u
        const lower = channels[at + below]! + (channels[at + below + right]! - channels[at + below]!) * u
        data[i + c] = upper + (lower - upper) * v
      }
    }
  }
  return { width, height, data }
}

function stepFor(scale: number): number {
  return Math.max(1, Math.floor(0.5 / scale))
}

/** Includes the kernel's reach. */
function neededPart(picture: Picture, similarity: Similarity, width: number, height: number) {
  const back = inverse(similarity)
  const corners = cornersOf({ width, height }, back)
  const margin = Math.ceil(3 * Math.max(1, 1 / similarity.scale)) + 1
  const range = (axis: 'x' | 'y', length: number): [number, number] => {
    const values = corners.map((corner) => corner[axis])
    const from = Math.min(Math.max(Math.floor(Math.min(...values)) - margin, 0), length - 1)
    return [from, Math.min(Math.max(Math.ceil(Math.max(...values)) + margin, from + 1), length)]
  }
  const [left, right] = range('x', picture.width)
  const [top, bottom] = range('y', picture.height)
  return { x: left, y: top, width: right - left, height: bottom - top }
}

const blockBits = 4

/** Includes pixels within the kernel's reach. */
function coveredBlocks(channels: Float32Array, size: Premultiplied['size'], taps: number) {
  const width = (size.width >> blockBits) + 1
  const height = (size.height >> blockBits) + 1
  const covered = new Uint8Array(width * height)
  for (let y = 0, at = 3; y < size.height; y++) {
    const row = (y >> blockBits) * width
    for (let x = 0; x < size.width; x++, at += 4) if (channels[at] !== 0) covered[row + (x >> blockBits)] = 1
  }
  const near = dilateMask(covered, width, height, (taps >> (blockBits + 1)) + 1)
  return { isEmpty: (x: number, y: number) => near[(y >> blockBits) * width + (x >> blockBits)] === 0 }
}

function clampIndex(index: number, length: number): number {
  return index < 0 ? 0 : index >= length ? length - 1 : index
}

/** Subpixel phases for which weights are precomputed. */
const phaseBits = 8
const phases = 1 << phaseBits

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
