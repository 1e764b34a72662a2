import { floats } from './arena.ts'
import type { Plane } from './picture.ts'
import { copyPlane, createPlane } from './plane.ts'

/** Largest value in a (2·radius+1)² window (grey dilation), by running maxima over rows and columns. */
export function dilate(plane: Plane, radius: number): Plane {
  return spread(plane, radius, 1)
}

/** Smallest value in a (2·radius+1)² window (grey erosion). */
export function erode(plane: Plane, radius: number): Plane {
  return spread(plane, radius, -1)
}

function spread(plane: Plane, radius: number, sign: 1 | -1): Plane {
  if (radius <= 0) return copyPlane(plane)
  if (radius <= 2) return spreadNear(plane, radius, sign)
  const { width, height } = plane
  const rows = createPlane(width, height)
  const window = new Int32Array(Math.max(width, height))
  for (let y = 0; y < height; y++) runningMaximum(plane.data, rows.data, y * width, 1, width, radius, sign, window)
  const out = createPlane(width, height)
  for (let x = 0; x < width; x++) runningMaximum(rows.data, out.data, x, width, height, radius, sign, window)
  return out
}

/** For windows so small that looking at every value is faster than keeping a queue. */
function spreadNear({ width, height, data }: Plane, radius: number, sign: 1 | -1): Plane {
  const upper = sign === 1
  const rows = floats(width * height)
  const line = new Float32Array(width + 2 * radius)
  for (let y = 0; y < height; y++) {
    const row = y * width
    line.fill(data[row] as number, 0, radius)
    line.set(data.subarray(row, row + width), radius)
    line.fill(data[row + width - 1] as number, radius + width)
    for (let x = 0; x < width; x++) {
      let best = line[x] as number
      for (let k = x + 1; k <= x + 2 * radius; k++) {
        const value = line[k] as number
        if (value > best === upper) best = value
      }
      rows[row + x] = best
    }
  }
  const { data: out } = copyPlane({ width, height, data: rows })
  for (let away = 1; away <= radius; away++) {
    const shift = away * width
    for (let i = shift; i < out.length; i++) {
      const above = rows[i - shift] as number
      const own = rows[i] as number
      if (above > (out[i] as number) === upper) out[i] = above
      if (own > (out[i - shift] as number) === upper) out[i - shift] = own
    }
  }
  return { width, height, data: out }
}

function runningMaximum(
  from: Float32Array,
  to: Float32Array,
  start: number,
  step: number,
  count: number,
  radius: number,
  sign: 1 | -1,
  window: Int32Array,
): void {
  let head = 0
  let tail = 0
  for (let i = 0; i < count + radius; i++) {
    if (i < count) {
      const value = sign * (from[start + i * step] as number)
      while (tail > head && sign * (from[start + (window[tail - 1] as number) * step] as number) <= value) tail--
      window[tail++] = i
    }
    const centre = i - radius
    if (centre < 0) continue
    while ((window[head] as number) < centre - radius) head++
    to[start + centre * step] = from[start + (window[head] as number) * step] as number
  }
}
