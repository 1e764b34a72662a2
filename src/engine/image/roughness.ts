import type { Plane } from './picture.ts'
import { boxBlur } from './plane.ts'

/**
 * Mean distance of each pixel's value from that of its surroundings within `reach` pixels, itself a
 * mean within `around` pixels; in the plane's unit.
 */
export function roughness(plane: Plane, reach: number, around = reach): Plane {
  const mean = boxBlur(plane, reach)
  for (let i = 0; i < mean.data.length; i++)
    mean.data[i] = Math.abs((plane.data[i] as number) - (mean.data[i] as number))
  return boxBlur(mean, around)
}
