import type { Plane } from '#engine/image/picture.ts'
import { createPlane } from '#engine/image/plane.ts'
import { structureTensor } from '#engine/image/structure.ts'

/** Where edges run: a unit tangent for every pixel. */
export interface EdgeFlow {
  x: Plane
  y: Plane
}

/** Squared contrast of grain. */
const grain = 0.0003

/**
 * Directions of edges: the eigenvector of the smaller eigenvalue of the structure tensor, averaged
 * over about `radius` pixels (used for line drawing by Kyprianidis & Kang 2011). Where no squared
 * contrast is above `faint`, strokes run down to the right, as a hand would hatch.
 */
export function edgeFlow(luma: Plane, radius: number, faint = grain): EdgeFlow {
  const { xx: sxx, xy: sxy, yy: syy } = structureTensor(luma, radius, 2)
  const [x, y] = [createPlane(luma.width, luma.height), createPlane(luma.width, luma.height)]
  for (let i = 0; i < x.data.length; i++) {
    const p = (sxx.data[i] as number) + faint / 2
    const q = (sxy.data[i] as number) - faint / 2
    const r = (syy.data[i] as number) + faint / 2
    const half = Math.sqrt((p - r) * (p - r) + 4 * q * q) / 2
    const mean = (p + r) / 2
    // The eigenvector of the larger eigenvalue points across the edge; the tangent is perpendicular
    // to it.
    const ex = q
    const ey = mean + half - p
    const length = Math.sqrt(ex * ex + ey * ey)
    x.data[i] = length > 1e-9 ? -ey / length : p >= r ? 0 : 1
    y.data[i] = length > 1e-9 ? ex / length : p >= r ? 1 : 0
  }
  return { x, y }
}
