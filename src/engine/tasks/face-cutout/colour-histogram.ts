import type { Picture } from '#engine/image/picture.ts'

const bins = 12

/** A histogram of 12 × 12 × 12 colours, empty. */
export const colourHistogram = (): Float32Array => new Float32Array(bins ** 3)

/** Counts a pixel of this bin. */
export function countColour(counts: Float32Array, bin: number): void {
  counts[bin] = (counts[bin] as number) + 1
}

/** The bin of a pixel, given by its number from the upper left corner. */
export function binOf({ data }: Picture, index: number): number {
  const scale = bins / 256
  const red = Math.floor((data[4 * index] as number) * scale)
  const green = Math.floor((data[4 * index + 1] as number) * scale)
  const blue = Math.floor((data[4 * index + 2] as number) * scale)
  return (red * bins + green) * bins + blue
}

/** Shares that add up to 1, each colour lending some to its neighbours. */
export function smoothHistogram(counts: Float32Array): Float32Array {
  const sum = counts.reduce((total, one) => total + one, 0) || 1
  let now = counts.map((one) => one / sum)
  for (const step of [1, bins, bins * bins]) {
    const next = now.slice()
    for (let i = 0; i < now.length; i++) {
      const place = Math.floor(i / step) % bins
      const before = place > 0 ? (now[i - step] as number) : 0
      const after = place < bins - 1 ? (now[i + step] as number) : 0
      next[i] = 0.6 * (now[i] as number) + 0.2 * before + 0.2 * after
    }
    now = next
  }
  return now
}
