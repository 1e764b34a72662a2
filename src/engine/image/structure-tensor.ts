import { createPlane, type Plane } from './picture.ts'
import { feather } from './plane.ts'

/** Förstner and Gülch 1987: products of Sobel derivatives, blurred `rounds` times. */
export function structureTensor(plane: Plane, radius: number, rounds: number): Record<'xx' | 'xy' | 'yy', Plane> {
  const { width, height, data } = plane
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
      const dx = (c + 2 * e + h - a - 2 * d - f) / 8
      const dy = (f + 2 * g + h - a - 2 * b - c) / 8
      xx.data[i] = dx * dx
      xy.data[i] = dx * dy
      yy.data[i] = dy * dy
    }
  }
  return { xx: feather(xx, radius, rounds), xy: feather(xy, radius, rounds), yy: feather(yy, radius, rounds) }
}
