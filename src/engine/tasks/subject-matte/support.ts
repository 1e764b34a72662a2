import { dilate } from '#engine/image/morphology.ts'
import { quantile } from '#engine/image/numbers.ts'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { shrink } from '#engine/image/plane.ts'

/**
 * What is left of a picture beside a subject on an even ground, a few pixels away from it: at least
 * a tenth of the picture, where neighbours hardly ever differ by more, 0 to 255.
 */
const even = { change: 16, quantile: 0.98, away: 5, share: 0.1 }

/**
 * How well evidence of other kinds supports what is to be cut out of `small`, 0 to 1; 1 without
 * any: the mean overlap with the two of its `cuts` that agree most or, before an even ground, with
 * the one that does, for there nothing else can be meant.
 */
export function supportFor(mask: Plane, cuts: readonly Plane[], small: Picture): number {
  if (cuts.length === 0) return 1
  const { width, height } = small
  const reduced = mask.width > width ? shrink(mask, width, height) : mask
  const [best = 0, second = 0] = overlapsWith(reduced, cuts).sort((a, b) => b - a)
  return groundIsEven(small, reduced) ? best : (best + second) / 2
}

/** The overlap of a cut with each other one, 0 to 1. */
export const overlapsWith = (mask: Plane, cuts: readonly Plane[]): number[] =>
  cuts.filter((cut) => cut !== mask).map((cut) => overlap(mask.data, cut.data))

/** Intersection over union, 0 to 1. */
function overlap(one: Float32Array, other: Float32Array): number {
  let [both, either] = [0, 0]
  for (let i = 0; i < one.length; i++) {
    const [a, b] = [one[i] as number, other[i] as number]
    both += a * b
    either += Math.max(a, b)
  }
  return both / either
}

function groundIsEven({ width, height, data }: Picture, mask: Plane): boolean {
  const { data: near } = dilate(mask, even.away)
  const changes = new Float32Array(width * height)
  let count = 0
  for (let y = 0; y < height - 1; y++) {
    for (let i = y * width; i < (y + 1) * width - 1; i++) {
      if ((near[i] as number) > 0.5) continue
      let change = 0
      for (let at = 4 * i; at < 4 * i + 3; at++) {
        const value = data[at] as number
        change = Math.max(
          change,
          Math.abs(value - (data[at + 4] as number)),
          Math.abs(value - (data[at + 4 * width] as number)),
        )
      }
      changes[count++] = change
    }
  }
  return count > even.share * changes.length && quantile(changes.subarray(0, count), even.quantile) <= even.change
}
