import { dilate, erode } from '#engine/image/morphology.ts'
import type { Plane } from '#engine/image/picture.ts'
import { boxBlur } from '#engine/image/plane.ts'

/**
 * Sharpens by what two blurs take away (unsharp masking with a soft threshold), in place. Pixels
 * stay within what is found `radius` around them, widened by a twentieth, so that edges get steeper
 * without halos. `amount` 0 to 2; `quiet` is the detail left alone, in the plane's units. `where`,
 * of the plane's size, multiplies the amount.
 */
export function sharpen(plane: Plane, radius: number, amount: number, quiet: number, where?: Plane): Plane {
  if (amount <= 0) return plane
  const { data } = plane
  const soft = boxBlur(boxBlur(plane, radius), radius)
  const low = erode(plane, radius)
  const high = dilate(plane, radius)
  for (let i = 0; i < data.length; i++) {
    const value = data[i] as number
    const detail = value - (soft.data[i] as number)
    const size = Math.abs(detail)
    const wanted = where ? amount * (where.data[i] as number) : amount
    const gain = (wanted * size * size) / (size * size + quiet * quiet + 1e-9)
    const least = low.data[i] as number
    const most = high.data[i] as number
    const spare = 0.05 * (most - least)
    data[i] = Math.min(Math.max(value + gain * detail, least - spare), most + spare)
  }
  return plane
}
