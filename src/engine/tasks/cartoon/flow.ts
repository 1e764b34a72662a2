import type { Plane } from '#engine/image/picture.ts'
import { boxBlur, createPlane } from '#engine/image/plane.ts'

/** Where edges run: a unit tangent for every pixel. */
export interface EdgeFlow {
  x: Plane
  y: Plane
}

/** Squared contrast of grain. */
const grain = 0.0012

/**
 * Directions of edges by the smoothed structure tensor (Brox et al. 2006; used for line drawing by
 * Kyprianidis & Kang 2011): Sobel derivatives, their products blurred by about `radius` pixels, and
 * the eigenvector of the smaller eigenvalue. Where no squared contrast is above `faint`, strokes
 * run down to the right, as a hand would hatch.
 */
export function edgeFlow(luma: Plane, radius: number, faint = grain): EdgeFlow {
  const { width, height, data } = luma
  const xx = createPlane(width, height)
  const xy = createPlane(width, height)
  const yy = createPlane(width, height)
  for (let y = 0; y < height; y++) {
    const up = y > 0 ? -width : 0
    const down = y < height - 1 ? width : 0
    for (let x = 0; x < width; x++) {
      const i = y * width + x
      const left = x > 0 ? -1 : 0
      const right = x < width - 1 ? 1 : 0
      const a = data[i + up + left] as number
      const b = data[i + up] as number
      const c = data[i + up + right] as number
      const d = data[i + left] as number
      const e = data[i + right] as number
      const f = data[i + down + left] as number
      const g = data[i + down] as number
      const h = data[i + down + right] as number
      const dx = (c + 2 * e + h - a - 2 * d - f) / 4
      const dy = (f + 2 * g + h - a - 2 * b - c) / 4
      xx.data[i] = dx * dx
      xy.data[i] = dx * dy
      yy.data[i] = dy * dy
    }
  }
  const smooth = (plane: Plane) => boxBlur(boxBlur(plane, radius), radius)
  const [sxx, sxy, syy] = [smooth(xx), smooth(xy), smooth(yy)]
  for (let i = 0; i < data.length; i++) {
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
    xx.data[i] = length > 1e-9 ? -ey / length : p >= r ? 0 : 1
    yy.data[i] = length > 1e-9 ? ex / length : p >= r ? 1 : 0
  }
  return { x: xx, y: yy }
}
