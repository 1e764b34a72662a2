import type { Picture } from '#engine/image/picture.ts'
import { resamplePart } from '#engine/image/resample.ts'
import type { BackgroundDiffusionParams } from '../contract/definition.ts'

/**
 * The cut-out at its size and place in a picture of the same size; what leaves the picture is cut
 * off. Left as it is, its pixels are untouched.
 */
export function placeSubject(
  cutOut: Picture,
  { scale, x, y }: Pick<BackgroundDiffusionParams, 'scale' | 'x' | 'y'>,
): Picture {
  if (scale === 1 && x === 0 && y === 0) return cutOut
  const { width, height } = cutOut
  const [wide, high] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))]
  const figure = scale === 1 ? cutOut : resamplePart(cutOut, { x: 0, y: 0, width, height }, wide, high)
  const left = Math.round((width - wide) / 2 + x * width)
  const top = Math.round(height - high + y * height)
  const data = new Uint8ClampedArray(width * height * 4)
  const [from, to] = [Math.max(0, left), Math.min(width, left + wide)]
  if (from >= to) return { width, height, data }
  for (let row = Math.max(0, top); row < Math.min(height, top + high); row++) {
    const start = 4 * ((row - top) * wide + from - left)
    data.set(figure.data.subarray(start, start + 4 * (to - from)), 4 * (row * width + from))
  }
  return { width, height, data }
}
