import { doubles, floats } from './arena.ts'
import type { Matte, Plane } from './picture.ts'

/** A plane of one value; lent inside {@link inArena}, as are those that the functions below make. */
export function createPlane(width: number, height: number, value = 0): Plane {
  const data = floats(width * height)
  if (value !== 0) data.fill(value)
  return { width, height, data }
}

/** A copy of its values. */
export function copyPlane({ width, height, data }: Plane): Plane {
  const copy = createPlane(width, height)
  copy.data.set(data)
  return copy
}

/**
 * Mean over a (2·radius+1)² window, the window cut at the borders (so means stay true there). O(1) a pixel.
 * `out` may be given to reuse memory; it must not be `plane` itself.
 */
export function boxBlur(plane: Plane, radius: number, out: Plane = createPlane(plane.width, plane.height)): Plane {
  const { width, height, data } = plane
  const sums = doubles(width)
  const target = out.data
  const top = Math.min(radius, height - 1)
  for (let y = 0; y <= top; y++) addRow(sums, data, y * width, 1)
  let rows = top + 1
  for (let y = 0; y < height; y++) {
    meanOfRow(sums, target, y * width, width, radius, rows)
    const enter = y + radius + 1
    const leave = y - radius
    if (enter < height) {
      addRow(sums, data, enter * width, 1)
      rows++
    }
    if (leave >= 0) {
      addRow(sums, data, leave * width, -1)
      rows--
    }
  }
  return out
}

function addRow(sums: Float64Array, data: Float32Array, start: number, sign: 1 | -1): void {
  const width = sums.length
  if (sign === 1) for (let x = 0; x < width; x++) sums[x] = (sums[x] as number) + (data[start + x] as number)
  else for (let x = 0; x < width; x++) sums[x] = (sums[x] as number) - (data[start + x] as number)
}

function meanOfRow(
  sums: Float64Array,
  out: Float32Array,
  start: number,
  width: number,
  radius: number,
  rows: number,
): void {
  let sum = 0
  const right = Math.min(radius, width - 1)
  for (let x = 0; x <= right; x++) sum += sums[x] as number
  let columns = right + 1
  const inner = Math.min(radius, width)
  const last = Math.max(inner, width - radius - 1)
  for (let x = 0; x < width; x++) {
    // Between the borders every window is whole.
    if (x === inner && last > inner) {
      const share = 1 / (columns * rows)
      for (; x < last; x++) {
        out[start + x] = sum * share
        sum += (sums[x + radius + 1] as number) - (sums[x - radius] as number)
      }
    }
    out[start + x] = sum / (columns * rows)
    const enter = x + radius + 1
    const leave = x - radius
    if (enter < width) {
      sum += sums[enter] as number
      columns++
    }
    if (leave >= 0) {
      sum -= sums[leave] as number
      columns--
    }
  }
}

/** Resamples by bilinear interpolation between pixel centres; meant for enlarging smooth planes. */
export function resizeSmooth(plane: Plane, width: number, height: number): Plane {
  if (plane.width === width && plane.height === height) return plane
  const out = createPlane(width, height)
  const row = smoothRows(plane, width, height)
  for (let y = 0; y < height; y++) out.data.set(row(y), y * width)
  return out
}

/**
 * The rows of a plane as {@link resizeSmooth} would enlarge it, one after the other in the same memory: what is only read once a pixel needs no
 * large plane.
 */
export function smoothRows(plane: Plane, width: number, height: number): (y: number) => Float32Array {
  const columns = sampling(plane.width, width)
  const rows = sampling(plane.height, height)
  const { data } = plane
  const line = new Float32Array(plane.width + 1)
  const out = new Float32Array(width)
  return (y) => {
    const above = (rows.index[y] as number) * plane.width
    const below = Math.min(above + plane.width, (plane.height - 1) * plane.width)
    mixRows(data, above, below, rows.weight[y] as number, line)
    stretchRow(line, columns.index, columns.weight, out)
    return out
  }
}

/** A row between two others, its last value once more behind it. */
function mixRows(data: Float32Array, above: number, below: number, v: number, line: Float32Array): void {
  const width = line.length - 1
  for (let x = 0; x < width; x++) {
    const upper = data[above + x] as number
    line[x] = upper + ((data[below + x] as number) - upper) * v
  }
  line[width] = line[width - 1] as number
}

function stretchRow(line: Float32Array, index: Int32Array, weight: Float32Array, out: Float32Array): void {
  for (let x = 0; x < out.length; x++) {
    const left = index[x] as number
    const own = line[left] as number
    out[x] = own + ((line[left + 1] as number) - own) * (weight[x] as number)
  }
}

/** For every target position the source index at its left and the weight of the next one. */
export function sampling(from: number, to: number): { index: Int32Array; weight: Float32Array } {
  const index = new Int32Array(to)
  const weight = new Float32Array(to)
  const scale = from / to
  for (let i = 0; i < to; i++) {
    const position = Math.min(Math.max((i + 0.5) * scale - 0.5, 0), from - 1)
    const left = Math.min(Math.floor(position), Math.max(from - 2, 0))
    index[i] = left
    weight[i] = from === 1 ? 0 : position - left
  }
  return { index, weight }
}

/** Resamples by averaging the covered area; meant for reducing. */
export function shrink(plane: Plane | Matte, width: number, height: number): Plane {
  const { data } = plane
  const exact = plane.width === width && plane.height === height
  if (!(data instanceof Uint8Array)) {
    if (exact) return { width, height, data }
    return average(plane, width, height, 1, {
      addFour: (line, start) => addFourRows(line, data, start),
      addOne: (line, start, weight) => addWeighted(line, data, start, weight),
    })
  }
  return average(plane, width, height, 255, {
    addFour: (line, start) => addFourRowsOfBytes(line, data, start),
    addOne: (line, start, weight) => addWeightedBytes(line, data, start, weight),
  })
}

/** Adds rows that begin at `start` to a line of sums: four that count whole, or one by its weight. */
interface RowSums {
  addFour(line: Float32Array, start: number): void
  addOne(line: Float32Array, start: number, weight: number): void
}

/** Means over the areas that pixels of the smaller size cover, of values up to `full`. */
function average(
  size: { width: number; height: number },
  width: number,
  height: number,
  full: number,
  { addFour, addOne }: RowSums,
): Plane {
  const out = createPlane(width, height)
  const line = new Float32Array(size.width)
  const scale = size.height / height
  for (let y = 0; y < height; y++) {
    const begin = y * scale
    const end = Math.min((y + 1) * scale, size.height)
    line.fill(0)
    for (let row = Math.floor(begin); row < end; ) {
      const share = Math.min(row + 1, end) - Math.max(row, begin)
      const count = share === 1 && row + 4 <= end ? 4 : 1
      if (count === 4) addFour(line, row * size.width)
      else addOne(line, row * size.width, share)
      row += count
    }
    averageLine(line, out.data, y * width, width, (end - begin) * full)
  }
  return out
}

function addFourRows(line: Float32Array, data: Float32Array, start: number): void {
  const width = line.length
  for (let x = 0, i = start; x < width; x++, i++) {
    const upper = (data[i] as number) + (data[i + width] as number)
    const lower = (data[i + 2 * width] as number) + (data[i + 3 * width] as number)
    line[x] = (line[x] as number) + (upper + lower)
  }
}

function addFourRowsOfBytes(line: Float32Array, data: Uint8Array, start: number): void {
  const width = line.length
  for (let x = 0, i = start; x < width; x++, i++) {
    const upper = (data[i] as number) + (data[i + width] as number)
    const sum = upper + (data[i + 2 * width] as number) + (data[i + 3 * width] as number)
    if (sum !== 0) line[x] = (line[x] as number) + sum
  }
}

function addWeightedBytes(line: Float32Array, data: Uint8Array, start: number, weight: number): void {
  for (let x = 0; x < line.length; x++) line[x] = (line[x] as number) + weight * (data[start + x] as number)
}

function addWeighted(line: Float32Array, data: Float32Array, start: number, weight: number): void {
  for (let x = 0; x < line.length; x++) line[x] = (line[x] as number) + weight * (data[start + x] as number)
}

/** Means of a line's sums, which are `weight` times too large. */
function averageLine(from: Float32Array, to: Float32Array, start: number, count: number, weight: number): void {
  const scale = from.length / count
  for (let i = 0; i < count; i++) {
    const begin = i * scale
    const end = Math.min((i + 1) * scale, from.length)
    const first = Math.floor(begin)
    const last = Math.ceil(end) - 1
    let sum = (Math.min(first + 1, end) - begin) * (from[first] as number)
    for (let j = first + 1; j < last; j++) sum += from[j] as number
    if (last > first) sum += (end - last) * (from[last] as number)
    to[start + i] = sum / ((end - begin) * weight)
  }
}

/** Share of the values above a threshold, 0 to 1. */
export function share({ data }: Plane, threshold: number): number {
  let count = 0
  for (let i = 0; i < data.length; i++) if ((data[i] as number) > threshold) count++
  return count / data.length
}

/** Limits every value to 0…1, in place. */
export function clamp01(plane: Plane): Plane {
  const { data } = plane
  for (let i = 0; i < data.length; i++) {
    const value = data[i] as number
    if (value < 0) data[i] = 0
    else if (value > 1) data[i] = 1
  }
  return plane
}

/** The part of a plane inside a whole-pixel rectangle that lies within it. */
export function cropPlane(plane: Plane, x: number, y: number, width: number, height: number): Plane {
  const out = createPlane(width, height)
  for (let row = 0; row < height; row++) {
    const start = (y + row) * plane.width + x
    out.data.set(plane.data.subarray(start, start + width), row * width)
  }
  return out
}

/** Puts a plane in place of a part of another one, in which it has to lie; returns the latter. */
export function pastePlane(target: Plane, part: Plane, { x, y }: { x: number; y: number }): Plane {
  for (let row = 0; row < part.height; row++) {
    target.data.set(part.data.subarray(row * part.width, (row + 1) * part.width), (y + row) * target.width + x)
  }
  return target
}
