import { createPlane, type Matte, type Plane, type Size } from './picture.ts'

/**
 * Mean over a (2·radius+1)² window, cut at the borders, in O(1) a pixel. `out` must not be `plane`.
 */
export function boxBlur(plane: Plane, radius: number, out: Plane = createPlane(plane.width, plane.height)): Plane {
  const { width, height, data } = plane
  const sums = new Float64Array(width)
  const target = out.data
  const top = Math.min(radius, height - 1)
  for (let y = 0; y <= top; y++) addRow(sums, data, y * width, 1)
  let rows = top + 1
  for (let y = 0; y < height; y++) {
    meanOfRow(sums, target, y * width, width, radius, rows)
    const enter = y + radius + 1
    const leave = y - radius
    if (enter < height && leave >= 0) {
      moveRows(sums, data, enter * width, leave * width)
    } else if (enter < height) {
      addRow(sums, data, enter * width, 1)
      rows++
    } else if (leave >= 0) {
      addRow(sums, data, leave * width, -1)
      rows--
    }
  }
  return out
}

/**
 * Blurs `rounds` times by a box of `radius` pixels, at least 1; two rounds approximate a Gaussian.
 */
export function feather(plane: Plane, radius: number, rounds = 2): Plane {
  const reach = Math.max(1, Math.round(radius))
  let soft = plane
  for (let round = 0; round < rounds; round++) soft = boxBlur(soft, reach)
  return soft
}

function addRow(sums: Float64Array, data: Float32Array, start: number, sign: 1 | -1): void {
  const width = sums.length
  if (sign === 1) for (let x = 0; x < width; x++) sums[x] = (sums[x] as number) + (data[start + x] as number)
  else for (let x = 0; x < width; x++) sums[x] = (sums[x] as number) - (data[start + x] as number)
}

function moveRows(sums: Float64Array, data: Float32Array, enter: number, leave: number): void {
  for (let x = 0; x < sums.length; x++) {
    sums[x] = (sums[x] as number) + (data[enter + x] as number) - (data[leave + x] as number)
  }
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
    // Between the borders every window is complete.
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

/** Bilinear interpolation between pixel centres, for enlarging smooth planes. */
export function resizeSmooth(plane: Plane, width: number, height: number): Plane {
  if (plane.width === width && plane.height === height) return plane
  const out = createPlane(width, height)
  const row = smoothRows(plane, width, height)
  for (let y = 0; y < height; y++) out.data.set(row(y), y * width)
  return out
}

/** Rows of {@link resizeSmooth} on demand in one reused buffer, for reading each pixel once. */
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

/** The left source index of every target position, and the weight of the next index. */
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

/** Bilinear value; (0, 0) is the centre of the first pixel, and the border is repeated outside. */
export function valueAt({ width, height, data }: Plane, x: number, y: number): number {
  const cx = x < 0 ? 0 : Math.min(x, width - 1)
  const cy = y < 0 ? 0 : Math.min(y, height - 1)
  const u = cx - (cx | 0)
  const v = cy - (cy | 0)
  const i = (cy | 0) * width + (cx | 0)
  const right = u > 0 ? 1 : 0
  const below = v > 0 ? width : 0
  const a = data[i] as number
  const c = data[i + below] as number
  const upper = a + ((data[i + right] as number) - a) * u
  const lower = c + ((data[i + below + right] as number) - c) * u
  return upper + (lower - upper) * v
}

/** Faster {@link valueAt} for positions with a pixel to the right and one below. */
export function valueWithin(data: Float32Array, width: number, x: number, y: number): number {
  const left = x | 0
  const top = y | 0
  const u = x - left
  const v = y - top
  const i = top * width + left
  const a = data[i] as number
  const c = data[i + width] as number
  const upper = a + ((data[i + 1] as number) - a) * u
  const lower = c + ((data[i + width + 1] as number) - c) * u
  return upper + (lower - upper) * v
}

/** May reduce one direction and enlarge the other. */
export function resizePlane(plane: Plane, { width, height }: Size): Plane {
  const reduced = shrink(plane, Math.min(plane.width, width), Math.min(plane.height, height))
  return resizeSmooth(reduced, width, height)
}

/** Averages the covered area, for reducing. */
export function shrink(plane: Plane | Matte, width: number, height: number): Plane {
  const { data } = plane
  const whole = data instanceof Uint8Array
  if (!whole && plane.width === width && plane.height === height) return { width, height, data }
  const out = createPlane(width, height)
  const columns = intervalsOf(plane.width, width)
  const rows = intervalsOf(plane.height, height)
  const line = new Float32Array(width)
  // V8 generates slow code for arrays of two kinds, so bytes are copied to floats.
  const floats = whole ? new Float32Array(plane.width) : data
  const total = (plane.width / width) * (plane.height / height) * (whole ? 255 : 1)
  for (let y = 0, known = -1, any = false; y < height; y++) {
    const first = rows.first[y] as number
    const last = rows.last[y] as number
    for (let row = first; row <= last; row++) {
      if (row !== known) {
        const start = row * plane.width
        if (whole) floats.set(data.subarray(start, start + plane.width))
        any = sumRow(floats, whole ? 0 : start, columns, line)
      }
      known = row
      const weight = row === first ? rows.head[y] : row === last ? rows.tail[y] : 1
      if (any) addWeighted(out.data, y * width, line, (weight as number) / total)
    }
  }
  return out
}

/** First and last source index with their shares; indices between count in full. */
interface Intervals {
  length: number
  first: Int32Array
  last: Int32Array
  head: Float64Array
  tail: Float64Array
}

function intervalsOf(length: number, count: number): Intervals {
  const [first, last] = [new Int32Array(count), new Int32Array(count)]
  const [head, tail] = [new Float64Array(count), new Float64Array(count)]
  const scale = length / count
  for (let i = 0; i < count; i++) {
    const begin = i * scale
    const end = Math.min((i + 1) * scale, length)
    const from = Math.floor(begin)
    const to = Math.max(from, Math.ceil(end) - 1)
    first[i] = from
    last[i] = to
    head[i] = Math.min(from + 1, end) - begin
    tail[i] = to > from ? end - to : 0
  }
  return { length, first, last, head, tail }
}

/** Sums of each interval of a row; false if the row is all zeros, as is common in mattes. */
function sumRow(data: Float32Array, start: number, columns: Intervals, sums: Float32Array): boolean {
  const { length, first, last, head, tail } = columns
  let left = 0
  while (left < length && data[start + left] === 0) left++
  if (left === length) return false
  for (let x = 0; x < sums.length; x++) {
    const end = start + (last[x] as number)
    let i = start + (first[x] as number)
    let sum = (head[x] as number) * (data[i] as number)
    for (i++; i < end; i++) sum += data[i] as number
    sums[x] = sum + (tail[x] as number) * (data[end] as number)
  }
  return true
}

function addWeighted(sums: Float32Array, start: number, line: Float32Array, weight: number): void {
  for (let x = 0, i = start; x < line.length; x++, i++) sums[i] = (sums[i] as number) + weight * (line[x] as number)
}

/** Share of the values above a threshold, 0 to 1. */
export function shareAbove({ data }: Pick<Plane | Matte, 'data'>, threshold: number): number {
  let count = 0
  for (let i = 0; i < data.length; i++) if ((data[i] as number) > threshold) count++
  return count / data.length
}
