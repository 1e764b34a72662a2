import { clusterColours } from '#engine/image/clusters.ts'
import type { Tones } from '#engine/image/tones.ts'

/** Luma, blue and red difference of each colour, one colour after the other. */
export type Palette = Float32Array

/** Lightness weighs less than colour, so that a face does not break up into shades. */
const lumaWeight = 1.1
const colourWeight = 2.2

const sampleCount = 4000

export function paletteOf({ luma, blue, red }: Tones, count: number): Palette {
  const size = Math.min(sampleCount, luma.data.length)
  const points = new Float32Array(3 * size)
  for (let s = 0; s < size; s++) {
    const i = Math.floor(((s + 0.5) * luma.data.length) / size)
    points[3 * s] = lumaWeight * (luma.data[i] as number)
    points[3 * s + 1] = colourWeight * (blue.data[i] as number)
    points[3 * s + 2] = colourWeight * (red.data[i] as number)
  }
  const { mean } = clusterColours(points, count)
  return mean.map((value, k) => value / (k % 3 === 0 ? lumaWeight : colourWeight))
}

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
