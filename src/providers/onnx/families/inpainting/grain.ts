import { dilate } from '#engine/image/morphology.ts'
import { quantile } from '#engine/image/numbers.ts'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { randomSequence } from '#engine/image/random.ts'

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
export function addGrain(filled: Picture, around: Picture, share: Plane): Picture {
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
