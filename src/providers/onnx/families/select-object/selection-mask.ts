import type { Plane } from '#engine/image/picture.ts'
import { resizeSmooth } from '#engine/image/plane.ts'
import type { Size } from '../../session.ts'

/** 1 where logits are positive, else 0, at the picture's size. */
export function selectionMask(logits: Plane, { width, height }: Size): Plane {
  const large = resizeSmooth(logits, width, height)
  return { width, height, data: large.data.map((value) => (value > 0 ? 1 : 0)) }
}
