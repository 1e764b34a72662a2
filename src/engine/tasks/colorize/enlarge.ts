import type { Plane } from '#engine/image/picture.ts'
import { sampling } from '#engine/image/plane.ts'

/**
 * How much a small pixel counts for a large one, by the difference of their lightness in
 * hundredths.
 */
const likeness = Float32Array.from({ length: 101 }, (_, away) => Math.exp(-0.5 * (away / 6) ** 2) + 1e-3)

/**
 * Reads small planes of one size along the edges of a larger lightness plane (joint bilateral
 * upsampling, Kopf et al. 2007); `small` is the lightness that they belong to. Calls `take` for
 * every pixel of the large plane with the planes' values there, which the next call overwrites.
 */
export function enlargeAlong(
  planes: readonly Plane[],
  small: Plane,
  large: Plane,
  take: (i: number, values: Float32Array) => void,
): void {
  const { width, height } = large
  const [columns, rows] = [sampling(small.width, width), sampling(small.height, height)]
  const right = small.width > 1 ? 1 : 0
  const below = small.height > 1 ? small.width : 0
  const values = new Float32Array(planes.length)
  const count = planes.length
  // The values of a pixel next to each other.
  const together = new Float32Array(count * small.data.length)
  for (const [k, { data }] of planes.entries()) {
    for (let i = 0; i < data.length; i++) together[count * i + k] = data[i] as number
  }
  const shareOf = (j: number, here: number) =>
    likeness[Math.min(100, (100 * Math.abs((small.data[j] as number) - here) + 0.5) | 0)] as number
  for (let y = 0, i = 0; y < height; y++) {
    const top = (rows.index[y] as number) * small.width
    const v = rows.weight[y] as number
    for (let x = 0; x < width; x++, i++) {
      const at = top + (columns.index[x] as number)
      const u = columns.weight[x] as number
      const here = large.data[i] as number
      let s0 = (1 - u) * (1 - v) * shareOf(at, here)
      let s1 = u * (1 - v) * shareOf(at + right, here)
      let s2 = (1 - u) * v * shareOf(at + below, here)
      let s3 = u * v * shareOf(at + below + right, here)
      const all = 1 / (s0 + s1 + s2 + s3)
      ;[s0, s1, s2, s3] = [s0 * all, s1 * all, s2 * all, s3 * all]
      const from = count * at
      for (let k = 0; k < count; k++) {
        values[k] =
          s0 * (together[from + k] as number) +
          s1 * (together[from + count * right + k] as number) +
          s2 * (together[from + count * below + k] as number) +
          s3 * (together[from + count * (below + right) + k] as number)
      }
      take(i, values)
    }
  }
}
