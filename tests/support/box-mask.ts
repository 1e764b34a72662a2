import { createPlane, type Plane } from '#engine/image/picture.ts'
import type { Box } from '#shared/media.ts'

/** Of the masks. */
export const size = { width: 200, height: 100 }

export const box = (x: number, y: number, width: number, height: number): Box => ({ x, y, width, height })

/** A mask with the boxes. */
export function masked(...boxes: Box[]): Plane {
  const plane = createPlane(size.width, size.height)
  for (const { x, y, width, height } of boxes) {
    for (let row = y; row < y + height; row++) plane.data.fill(1, row * size.width + x, row * size.width + x + width)
  }
  return plane
}
