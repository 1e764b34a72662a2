import type { MeshPoints } from '#engine/host.ts'
import { copyPlane, type Plane } from '#engine/image/picture.ts'
import { valueAt } from '#engine/image/plane.ts'
import { openness } from '#engine/tasks/faces/mesh-geometry.ts'
import { distance, meanPoint, outlineOf, pointOf } from '#engine/tasks/faces/regions.ts'

/** In pixels of the picture. */
export interface Eye {
  x: number
  y: number
  width: number
  /** Unit vector towards the forehead. */
  up: { x: number; y: number }
  open: boolean
}

const corners = { leftEye: [33, 133], rightEye: [362, 263] } as const
/** Height by width below which an eye counts as shut. */
const minOpenness = 0.17

export function eyesOf(meshes: readonly MeshPoints[]): Eye[] {
  return meshes.flatMap((points) =>
    (['leftEye', 'rightEye'] as const).map((name): Eye => {
      const [first, last] = corners[name]
      const [a, b] = [pointOf(points, first), pointOf(points, last)]
      const width = Math.max(1, distance(a, b))
      const { x, y } = meanPoint(outlineOf(points, name))
      const up = { x: (b.y - a.y) / width, y: -(b.x - a.x) / width }
      return { x, y, width, up, open: openness(points, name) > minOpenness }
    }),
  )
}

/** Extent of the warp around an eye, in eye widths: sideways, and up and down. */
const warpExtent = { aside: 0.95, along: 0.85 } as const

/** Enlarges every open eye in planes of one size: wider by `growth` and higher by twice that. */
export function enlargeEyes(planes: readonly Plane[], eyes: readonly Eye[], growth: number): Plane[] {
  const out = planes.map(copyPlane)
  for (const eye of eyes) {
    if (!eye.open) continue
    const far = Math.ceil(eye.width)
    const { width, height } = out[0] as Plane
    for (let y = Math.max(0, Math.floor(eye.y - far)); y < Math.min(height - 1, eye.y + far); y++) {
      for (let x = Math.max(0, Math.floor(eye.x - far)); x < Math.min(width - 1, eye.x + far); x++) {
        const [dx, dy] = [x - eye.x, y - eye.y]
        const along = dx * eye.up.x + dy * eye.up.y
        const aside = dy * eye.up.x - dx * eye.up.y
        const away = Math.hypot(aside / warpExtent.aside, along / warpExtent.along) / eye.width
        if (away >= 1) continue
        const share = growth * (1 - away * away) ** 2
        const [a, b] = [aside * (1 - share), along * (1 - 2 * share)]
        const [fromX, fromY] = [eye.x + b * eye.up.x - a * eye.up.y, eye.y + b * eye.up.y + a * eye.up.x]
        for (const [k, plane] of planes.entries()) {
          ;(out[k] as Plane).data[y * width + x] = valueAt(plane, fromX, fromY)
        }
      }
    }
  }
  return out
}
