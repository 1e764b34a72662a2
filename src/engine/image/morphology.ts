import { copyPlane, createPlane, type Plane } from './picture.ts'

/** Largest value in a (2·radius+1)² window (grey dilation). */
export function dilate(plane: Plane, radius: number): Plane {
  return extremum(plane, radius, 1)
}

/** Smallest value in a (2·radius+1)² window (grey erosion). */
export function erode(plane: Plane, radius: number): Plane {
  return extremum(plane, radius, -1)
}

function extremum(plane: Plane, radius: number, sign: 1 | -1): Plane {
  if (radius <= 0) return copyPlane(plane)
  if (radius <= 2) return extremumNear(plane, radius, sign)
  const { width, height } = plane
  const rows = createPlane(width, height)
  const window = new Int32Array(Math.max(width, height))
  for (let y = 0; y < height; y++) runningMaximum(plane.data, rows.data, y * width, 1, width, radius, sign, window)
  const out = createPlane(width, height)
  for (let x = 0; x < width; x++) runningMaximum(rows.data, out.data, x, width, height, radius, sign, window)
  return out
}

/** Faster than a queue for small windows. */
function extremumNear(plane: Plane, radius: number, sign: 1 | -1): Plane {
  const { width, height } = plane
  let near = plane
  for (let away = 0; away < radius; away++) {
    const from = near.data
    near = createPlane(width, height)
    for (let y = 0; y < height; y++) {
      const row = y * width
      const above = y > 0 ? row - width : row
      const below = y + 1 < height ? row + width : row
      largestOfNine(from, near.data, above, row, below, width, sign)
    }
  }
  return near
}

function largestOfNine(
  from: Float32Array,
  to: Float32Array,
  above: number,
  row: number,
  below: number,
  width: number,
  sign: 1 | -1,
): void {
  let left = -Infinity
  let own = largestOfThree(from, above, row, below, sign)
  for (let x = 0; x < width; x++) {
    const next = x + 1 < width ? x + 1 : x
    const right = largestOfThree(from, above + next, row + next, below + next, sign)
    let best = own
    if (left > best) best = left
    if (right > best) best = right
    to[row + x] = sign * best
    left = own
    own = right
  }
}

function largestOfThree(values: Float32Array, i: number, j: number, k: number, sign: 1 | -1): number {
  let best = sign * (values[i] as number)
  const second = sign * (values[j] as number)
  const third = sign * (values[k] as number)
  if (second > best) best = second
  if (third > best) best = third
  return best
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

/** Pixelwise maximum of planes of one size. */
export function pixelwiseMax(planes: readonly Plane[]): Plane {
  const [first, ...others] = planes as [Plane, ...Plane[]]
  return {
    ...first,
    data: first.data.map((value, i) => Math.max(value, ...others.map(({ data }) => data[i] as number))),
  }
}

/** Dilates a binary mask (0 or 1 a pixel, row by row) with a (2·radius+1)² window. */
export function dilateMask(mask: Uint8Array, width: number, height: number, radius: number): Uint8Array {
  const across = new Uint8Array(mask.length)
  for (let y = 0; y < height; y++) {
    const row = y * width
    let done = row
    for (let x = 0; x < width; x++) {
      if (mask[row + x] === 0) continue
      const end = row + Math.min(x + radius + 1, width)
      across.fill(1, Math.max(done, row + x - radius), end)
      done = end
    }
  }
  const out = new Uint8Array(mask.length)
  out.set(across)
  for (let away = 1; away <= radius; away++) {
    const shift = away * width
    for (let i = shift; i < out.length; i++) {
      if (across[i - shift] === 1) out[i] = 1
      if (across[i] === 1) out[i - shift] = 1
    }
  }
  return out
}

const straight = 1
const diagonal = Math.SQRT2

/**
 * In pixels, at least 0.5, from the border at 0.5 (chamfer distance, Borgefors 1986); large without
 * a border.
 */
export function borderDistance(plane: Plane): Float32Array {
  const { width, height, data } = plane
  const distance = new Float32Array(width * height).fill(1e6)
  for (let y = 0; y < height; y++) markBorder(data, distance, y * width, width, y + 1 < height ? width : 0)
  for (let y = 0; y < height; y++) {
    if (y > 0) relaxFromRow(distance, y * width, -width, width)
    for (let i = y * width + 1; i < (y + 1) * width; i++) relaxFrom(distance, i, i - 1)
  }
  for (let y = height - 1; y >= 0; y--) {
    if (y + 1 < height) relaxFromRow(distance, y * width, width, width)
    for (let i = (y + 1) * width - 2; i >= y * width; i--) relaxFrom(distance, i, i + 1)
  }
  return distance
}

function markBorder(data: Float32Array, distance: Float32Array, row: number, width: number, below: number): void {
  for (let x = 0, i = row; x < width; x++, i++) {
    const inside = (data[i] as number) > 0.5
    if (x + 1 < width && (data[i + 1] as number) > 0.5 !== inside) distance[i] = distance[i + 1] = 0.5
    if ((data[i + below] as number) > 0.5 !== inside) distance[i] = distance[i + below] = 0.5
  }
}

function relaxFromRow(distance: Float32Array, row: number, away: number, width: number): void {
  for (let x = 0, i = row; x < width; x++, i++) {
    let best = distance[i] as number
    const next = (distance[i + away] as number) + straight
    if (next < best) best = next
    if (x > 0) {
      const left = (distance[i + away - 1] as number) + diagonal
      if (left < best) best = left
    }
    if (x + 1 < width) {
      const right = (distance[i + away + 1] as number) + diagonal
      if (right < best) best = right
    }
    distance[i] = best
  }
}

function relaxFrom(distance: Float32Array, i: number, from: number): void {
  const next = (distance[from] as number) + straight
  if (next < (distance[i] as number)) distance[i] = next
}
