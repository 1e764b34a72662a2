import type { MeshPoints } from '#engine/host.ts'
import type { Plane } from '#engine/image/picture.ts'
import { createPlane } from '#engine/image/plane.ts'
import { pointOf } from './landmarks.ts'
import { fillPolygon, shareAbove } from './regions.ts'

/** Both halves of the chin, from the outline inwards. */
const chin = [
  [149, 176, 148, 152, 199, 208, 32, 211],
  [378, 400, 377, 152, 199, 428, 262, 431],
] as const
/**
 * The share of either half that is dark below a beard; stubble and the shadow of a chin cover less
 * of one.
 */
const least = 0.55

/**
 * Whether what is dark at a jaw is a beard: it covers both halves of the chin, where hair and hands
 * come from one side or leave it bare. `dark` is 1 where the face is darker than its skin.
 */
export function isBeard(mesh: MeshPoints, dark: Plane): boolean {
  return chin.every((half) => {
    const area = createPlane(dark.width, dark.height)
    fillPolygon(
      area,
      half.map((index) => pointOf(mesh, index)),
    )
    return shareAbove(dark, area, 0) > least
  })
}
