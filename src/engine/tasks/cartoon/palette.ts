import { randomSequence } from '#engine/image/random.ts'
import type { Tones } from '#engine/image/tones.ts'

/** A palette in tones: luma, blue and red difference of each colour, one after the other. */
export type Palette = Float32Array

/** Lightness counts less than colour, so that a face does not fall apart into shades. */
const lumaWeight = 1.1
const colourWeight = 2.2

/**
 * The `count` colours that stand best for a picture: k-means on a sample (Lloyd 1982), started by
 * k-means++ (Arthur & Vassilvitskii 2007).
 */
export function paletteOf({ luma, blue, red }: Tones, count: number, seed = 1): Palette {
  const random = randomSequence(seed)
  const size = Math.min(4000, luma.data.length)
  const sample = new Float32Array(size * 3)
  for (let s = 0; s < size; s++) {
    const i = Math.floor(random() * luma.data.length)
    sample[3 * s] = luma.data[i] as number
    sample[3 * s + 1] = blue.data[i] as number
    sample[3 * s + 2] = red.data[i] as number
  }
  const palette = new Float32Array(count * 3)
  palette.set(sample.subarray(0, 3))
  const nearest = new Float32Array(size).fill(Infinity)
  for (let k = 1; k < count; k++) {
    let total = 0
    for (let s = 0; s < size; s++) {
      nearest[s] = Math.min(nearest[s] as number, distance(sample, 3 * s, palette, 3 * (k - 1)))
      total += nearest[s] as number
    }
    let left = random() * total
    let chosen = 0
    while (chosen < size - 1 && left > (nearest[chosen] as number)) left -= nearest[chosen++] as number
    palette.set(sample.subarray(3 * chosen, 3 * chosen + 3), 3 * k)
  }
  const sums = new Float64Array(count * 4)
  for (let round = 0; round < 10; round++) {
    sums.fill(0)
    for (let s = 0; s < size; s++) {
      const k = nearestColour(
        palette,
        sample[3 * s] as number,
        sample[3 * s + 1] as number,
        sample[3 * s + 2] as number,
      )
      for (let c = 0; c < 3; c++) sums[4 * k + c] = (sums[4 * k + c] as number) + (sample[3 * s + c] as number)
      sums[4 * k + 3] = (sums[4 * k + 3] as number) + 1
    }
    for (let k = 0; k < count; k++) {
      const members = sums[4 * k + 3] as number
      if (members === 0) continue
      for (let c = 0; c < 3; c++) palette[3 * k + c] = (sums[4 * k + c] as number) / members
    }
  }
  return palette
}

/** Index of the palette's colour that looks most like the one given. */
export function nearestColour(palette: Palette, luma: number, blue: number, red: number): number {
  let best = 0
  let least = Infinity
  for (let k = 0; k < palette.length; k += 3) {
    const dy = lumaWeight * (luma - (palette[k] as number))
    const db = colourWeight * (blue - (palette[k + 1] as number))
    const dr = colourWeight * (red - (palette[k + 2] as number))
    const away = dy * dy + db * db + dr * dr
    if (away < least) {
      least = away
      best = k / 3
    }
  }
  return best
}

function distance(a: Float32Array, i: number, b: Float32Array, j: number): number {
  const dy = lumaWeight * ((a[i] as number) - (b[j] as number))
  const db = colourWeight * ((a[i + 1] as number) - (b[j + 1] as number))
  const dr = colourWeight * ((a[i + 2] as number) - (b[j + 2] as number))
  return dy * dy + db * db + dr * dr
}
