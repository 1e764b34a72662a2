import type { Plane } from '#engine/image/picture.ts'
import { boxBlur } from '#engine/image/plane.ts'

/** Widest blur of an edge, as a share of the picture's size. */
const softest = 0.012

/** A matte with softer edges; `softness` 0 leaves it as it is, 1 gives the widest edge. */
export function softenEdges(matte: Plane, softness: number): Plane {
  const radius = Math.round(softness * softest * Math.sqrt(matte.width * matte.height))
  return radius < 1 ? matte : boxBlur(boxBlur(matte, radius), radius)
}
