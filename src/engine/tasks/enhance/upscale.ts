import { dilate, erode } from '#engine/image/morphology.ts'
import { createPlane, type Plane } from '#engine/image/picture.ts'
import { feather, shrink, valueWithin } from '#engine/image/plane.ts'
import { structureTensor } from '#engine/image/structure-tensor.ts'

/** Cubic convolution weights (Keys 1981, a = −0.6) of the four nearest pixels at a quarter step. */
const cubic = [-0.084375, 0.871875, 0.240625, -0.028125] as const

/**
 * Doubles the size with sharp edges: cubic convolution smoothed along edges (after Weickert 1999),
 * then iterative back-projection (Irani and Peleg 1991). Values stay within the range nearby,
 * against halos. docs/decisions/0010 compares this with a network.
 */
export function doubleSize(plane: Plane): Plane {
  const out = stretch(plane)
  backProject(out, plane, 1)
  smoothAlongEdges(out, plane)
  backProject(out, plane, 0.7)
  clampToNeighbours(out, plane)
  return out
}

function stretch({ width, height, data }: Plane): Plane {
  const wide = new Float32Array(2 * width * height)
  const [far, near, next, beyond] = cubic
  for (let y = 0; y < height; y++) {
    const row = y * width
    for (let x = 0; x < width; x++) {
      const a = data[row + Math.max(x - 2, 0)] as number
      const b = data[row + Math.max(x - 1, 0)] as number
      const c = data[row + x] as number
      const d = data[row + Math.min(x + 1, width - 1)] as number
      const e = data[row + Math.min(x + 2, width - 1)] as number
      wide[2 * (row + x)] = beyond * a + next * b + near * c + far * d
      wide[2 * (row + x) + 1] = far * b + near * c + next * d + beyond * e
    }
  }
  const columns = 2 * width
  const out = createPlane(columns, 2 * height)
  for (let y = 0; y < height; y++) {
    const a = Math.max(y - 2, 0) * columns
    const b = Math.max(y - 1, 0) * columns
    const c = y * columns
    const d = Math.min(y + 1, height - 1) * columns
    const e = Math.min(y + 2, height - 1) * columns
    const upper = 2 * y * columns
    for (let x = 0; x < columns; x++) {
      const above = wide[b + x] as number
      const own = wide[c + x] as number
      const below = wide[d + x] as number
      out.data[upper + x] = beyond * (wide[a + x] as number) + next * above + near * own + far * below
      out.data[upper + columns + x] = far * above + near * own + next * below + beyond * (wide[e + x] as number)
    }
  }
  return out
}

function backProject(out: Plane, plane: Plane, share: number): void {
  const { width, height, data } = plane
  const means = shrink(out, width, height)
  for (let i = 0; i < data.length; i++) means.data[i] = share * ((data[i] as number) - (means.data[i] as number))
  const missing = stretch(means)
  for (let i = 0; i < out.data.length; i++) out.data[i] = (out.data[i] as number) + (missing.data[i] as number)
}

function smoothAlongEdges(out: Plane, plane: Plane): void {
  const { width, height } = plane
  const { xx, xy, yy } = structureTensor(plane, 1, 1)
  const columns = out.width
  const from = out.data.slice()
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x
      const sum = (xx.data[i] as number) + (yy.data[i] as number)
      if (sum < 4e-4) continue
      const gap = (xx.data[i] as number) - (yy.data[i] as number)
      const cross = 2 * (xy.data[i] as number)
      const coherence = Math.sqrt(gap * gap + cross * cross) / (sum + 1e-3)
      if (coherence < 0.4) continue
      const angle = 0.5 * Math.atan2(cross, gap)
      const dx = -Math.sin(angle)
      const dy = Math.cos(angle)
      const strength = Math.min(1, (coherence - 0.4) * 2)
      for (let k = 0; k < 4; k++) {
        const u = 2 * x + (k & 1)
        const v = 2 * y + (k >> 1)
        if (u < 3 || v < 3 || u >= columns - 4 || v >= out.height - 4) continue
        const near = valueWithin(from, columns, u + dx, v + dy) + valueWithin(from, columns, u - dx, v - dy)
        const far =
          valueWithin(from, columns, u + 2 * dx, v + 2 * dy) + valueWithin(from, columns, u - 2 * dx, v - 2 * dy)
        const own = from[v * columns + u] as number
        const along = 0.36 * own + 0.22 * near + 0.1 * far
        out.data[v * columns + u] = own + strength * (along - own)
      }
    }
  }
}

function clampToNeighbours(out: Plane, plane: Plane): void {
  const [low, high] = [erode(plane, 1), dilate(plane, 1)]
  for (let o = 0; o < out.data.length; o++) {
    const i = (Math.floor(o / out.width) >> 1) * plane.width + ((o % out.width) >> 1)
    const [least, most] = [low.data[i] as number, high.data[i] as number]
    const spare = 0.05 * (most - least)
    out.data[o] = Math.min(Math.max(out.data[o] as number, least - spare), most + spare)
  }
}

/**
 * Unsharp mask in place; `amount` is 0 to 2. Detail below about `quiet`, in the plane's units,
 * stays. Pixels stay within the range `radius` around them, widened by a twentieth, against halos.
 * `where`, of the plane's size, multiplies the amount.
 */
export function sharpen(plane: Plane, radius: number, amount: number, quiet: number, where?: Plane): Plane {
  if (amount <= 0) return plane
  const { data } = plane
  const soft = feather(plane, radius)
  const low = erode(plane, radius)
  const high = dilate(plane, radius)
  for (let i = 0; i < data.length; i++) {
    const value = data[i] as number
    const detail = value - (soft.data[i] as number)
    const size = Math.abs(detail)
    const wanted = where ? amount * (where.data[i] as number) : amount
    const gain = (wanted * size * size) / (size * size + quiet * quiet + 1e-9)
    const least = low.data[i] as number
    const most = high.data[i] as number
    const spare = 0.05 * (most - least)
    data[i] = Math.min(Math.max(value + gain * detail, least - spare), most + spare)
  }
  return plane
}
