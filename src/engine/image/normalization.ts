import type { Picture, Size } from './picture.ts'

type OfColours = readonly [red: number, green: number, blue: number]

/** For colours of 0 to 1. */
export interface Normalization {
  mean: OfColours
  deviation: OfColours
}

/** Statistics of ImageNet, on which most networks were pre-trained. */
export const imageNet: Normalization = { mean: [0.485, 0.456, 0.406], deviation: [0.229, 0.224, 0.225] }
/** Maps colours to 0…1; `signedRange` maps to −1…1. */
export const unitRange: Normalization = { mean: [0, 0, 0], deviation: [1, 1, 1] }
export const signedRange: Normalization = { mean: [0.5, 0.5, 0.5], deviation: [0.5, 0.5, 0.5] }

/**
 * Planar, red first, without alpha. A larger canvas is padded with zeros to the right and below.
 */
export function planarColours(
  { width, height, data }: Picture,
  { mean, deviation }: Normalization,
  canvas: Size = { width, height },
): Float32Array {
  const values = new Float32Array(3 * canvas.width * canvas.height)
  for (let c = 0; c < 3; c++) {
    const scale = 1 / (255 * (deviation[c] as number))
    const offset = (mean[c] as number) / (deviation[c] as number)
    for (let y = 0, from = c; y < height; y++) {
      const row = (c * canvas.height + y) * canvas.width
      for (let x = 0; x < width; x++, from += 4) values[row + x] = (data[from] as number) * scale - offset
    }
  }
  return values
}

/** Stretches values in place to 0…1; constant values become 0. */
export function stretchToUnitRange(values: Float32Array): void {
  let [least, greatest] = [Infinity, -Infinity]
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number
    if (value < least) least = value
    if (value > greatest) greatest = value
  }
  const scale = greatest > least ? 1 / (greatest - least) : 0
  for (let i = 0; i < values.length; i++) values[i] = ((values[i] as number) - least) * scale
}
