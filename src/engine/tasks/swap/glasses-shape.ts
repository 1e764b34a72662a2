import type { MeshPoints } from '#engine/host.ts'
import { chain, similarityTo } from '#engine/image/similarity.ts'
import { outlines, type Point } from '#engine/tasks/faces/landmarks.ts'
import { meshCentre, moveMesh } from '#engine/tasks/faces/mesh-geometry.ts'

/** Where arms of glasses reach the outline. */
const temples = { left: [127, 234, 162], right: [356, 454, 389] } as const
const eyes = [...outlines.leftEye, ...outlines.rightEye]

/**
 * The mesh of a face with glasses as a similarity in the picture brings it to a target's: as wide
 * as the target's temples are apart, and the eyes up to `limit` pixels from the height of the
 * target's. `aligned` is the mesh turned in space as the target's is. With `flat` it is not turned
 * in space, and reaches both of the target's temples.
 */
export function placeGlasses(
  target: MeshPoints,
  source: MeshPoints,
  { aligned, flat, limit }: { aligned: MeshPoints; flat: boolean; limit: number },
): MeshPoints {
  const own = flat ? source : aligned
  const [from, to] = [templesOf(own), templesOf(target)]
  const angle = flat ? to.angle - from.angle : 0
  const fit = similarityTo(from.middle, to.middle, angle, to.apart / from.apart)
  const [seen, wanted, there] = [aligned, target, moveMesh(own, fit)].map((mesh) => {
    const [x, y] = meshCentre(mesh, eyes)
    return { x, y }
  }) as [Point, Point, Point]
  const away = { x: seen.x - wanted.x, y: seen.y - wanted.y }
  const share = Math.min(1, limit / (Math.hypot(away.x, away.y) || 1))
  const rest = { x: wanted.x + share * away.x - there.x, y: wanted.y + share * away.y - there.y }
  // Seen flat, the eyes lie beside the middle of the temples as they do in the source.
  const across = { x: Math.cos(to.angle), y: Math.sin(to.angle) }
  const along = flat ? rest.x * across.x + rest.y * across.y : 0
  const shift = { scale: 1, angle: 0, x: rest.x - along * across.x, y: rest.y - along * across.y }
  return moveMesh(own, chain(fit, shift))
}

function templesOf(mesh: MeshPoints): { middle: Point; angle: number; apart: number } {
  const [left, right] = [meshCentre(mesh, temples.left), meshCentre(mesh, temples.right)]
  const [x, y] = [right[0] - left[0], right[1] - left[1]]
  return {
    middle: { x: (left[0] + right[0]) / 2, y: (left[1] + right[1]) / 2 },
    angle: Math.atan2(y, x),
    apart: Math.hypot(x, y) || 1,
  }
}
