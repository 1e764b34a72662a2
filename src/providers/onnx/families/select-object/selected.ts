import type { Plane } from '#engine/image/picture.ts'
import { resizeSmooth } from '#engine/image/plane.ts'
import type { Size } from '../../session.ts'

/** What was selected at the picture's size: 1 where a network's logits are above 0, else 0. */
export function selected(logits: Plane, { width, height }: Size): Plane {
  const large = resizeSmooth(logits, width, height)
  return { width, height, data: large.data.map((value) => (value > 0 ? 1 : 0)) }
}
