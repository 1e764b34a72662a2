import type { MeshPoints } from '#engine/host.ts'
import type { Plane } from '#engine/image/picture.ts'
import { createPlane } from '#engine/image/plane.ts'
import { fillPolygon, outlineOf } from '#engine/tasks/faces/regions.ts'

/** Where a face is, in pixels of a plane, and how light its skin is. */
export interface Face {
  mesh: MeshPoints
  inside: Plane
  centre: number
  top: number
  bottom: number
  wide: number
  tall: number
  /** Lightness of its skin, and of its deeper shadows. */
  level: number
  shade: number
  /** How common each fortieth of lightness is in it, 1 for the commonest. */
  levels: Float32Array
}

/** Undefined where a face is too small to tell anything. */
export function faceOf(lightness: Plane, mesh: MeshPoints): Face | undefined {
  const oval = outlineOf(mesh, 'face')
  const inside = createPlane(lightness.width, lightness.height)
  fillPolygon(inside, oval)
  const levels = lightness.data.filter((_, i) => (inside.data[i] as number) > 0).sort()
  if (levels.length < 8) return undefined
  const [xs, ys] = [oval.map(({ x }) => x), oval.map(({ y }) => y)]
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  return {
    mesh,
    inside,
    centre: (left + right) / 2,
    top,
    bottom,
    wide: right - left,
    tall: bottom - top,
    level: levels[Math.floor(0.6 * levels.length)] as number,
    shade: levels[Math.floor(0.1 * levels.length)] as number,
    levels: commonnessOf(levels),
  }
}

const fortieth = 40

function commonnessOf(levels: Float32Array): Float32Array {
  const counts = new Float32Array(fortieth + 1)
  for (const level of levels) {
    for (const beside of [-2, -1, 0, 1, 2]) {
      const at = Math.min(fortieth, Math.max(0, Math.round(fortieth * level) + beside))
      counts[at] = (counts[at] as number) + 3 - Math.abs(beside)
    }
  }
  const most = Math.max(...counts)
  return counts.map((count) => count / most)
}

/** How common a lightness is in a face, 0 to 1. */
export function commonIn({ levels }: Face, level: number): number {
  const at = fortieth * Math.min(1, Math.max(0, level))
  const below = Math.min(fortieth - 1, Math.floor(at))
  const from = levels[below] as number
  return from + (at - below) * ((levels[below + 1] as number) - from)
}

/** The face to which a body at a place most likely belongs: bodies are below their faces. */
export function nearestFace(faces: readonly Face[], x: number, y: number): Face {
  let [best, least] = [faces[0] as Face, Number.POSITIVE_INFINITY]
  if (faces.length === 1) return best
  for (const face of faces) {
    const aside = (x - face.centre) / face.wide
    const above = Math.max(0, face.top - y) / face.tall
    const below = Math.max(0, y - face.bottom) / face.tall
    const away = 1.5 * aside ** 2 + 4 * above ** 2 + 0.5 * below ** 2
    if (away < least) [best, least] = [face, away]
  }
  return best
}
