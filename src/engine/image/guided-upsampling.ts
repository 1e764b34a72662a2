import type { GuidedCoefficients } from './guided-filter.ts'
import type { Matte, Picture, Plane, Size } from './picture.ts'
import { sampling } from './plane.ts'

/** Three 8-bit channels; the first has a value for every pixel. */
export interface Channels extends Size {
  values: readonly [Uint8Array, Uint8Array, Uint8Array]
  /** Distance between values of consecutive pixels. */
  stride: number
  /** True if the other two channels are subsampled by two in both directions. */
  halved: boolean
}

/** Shares the picture's memory. */
export function channelsOf({ width, height, data: { buffer, byteOffset, length } }: Picture): Channels {
  const values = [0, 1, 2].map((c) => new Uint8Array(buffer, byteOffset + c, length - c))
  return { width, height, values: values as [Uint8Array, Uint8Array, Uint8Array], stride: 4, halved: false }
}

/**
 * Applies coefficients from a reduced picture to the full one (fast guided filter, He and Sun
 * 2015); returns 8 bits a pixel. `low` and `high`, of the coefficients' size, bound the values, so
 * that colours far from the model cause no streaks; where they are equal, nothing is computed.
 * Values within `certain` of 0 or 1 become exact. `out` must be zeroed.
 */
export function applyGuided(
  coefficients: GuidedCoefficients,
  channels: Channels,
  low: Plane,
  high: Plane,
  certain = 0,
  out: Uint8Array = new Uint8Array(channels.width * channels.height),
): Matte {
  const { width, height } = channels
  const columns = sampling(low.width, width)
  const rows = sampling(low.height, height)
  const cell: Cell = { left: new Float64Array(6), right: new Float64Array(6) }
  const starts = cellStarts(columns.index, low.width)
  /** Common value of a cell's four corners, or −1. */
  const values = new Float32Array(low.width)
  for (let y = 0, known = -1; y < height; y++) {
    const above = (rows.index[y] as number) * low.width
    const below = low.height > 1 ? above + low.width : above
    if (above !== known) findEvenCells(low, high, above, below, values)
    known = above
    for (let index = 0; index < low.width; ) {
      const x = starts[index] as number
      const value = values[index] as number
      let next = index + 1
      if (value >= 0) {
        while (next < low.width && values[next] === value) next++
        if (value > 0) out.fill(levelOf(value, certain), y * width + x, y * width + (starts[next] as number))
      } else if (x < (starts[next] as number)) {
        const right = next < low.width ? next : index
        const v = rows.weight[y] as number
        mixRows(coefficients.data, low.data, high.data, above + index, below + index, v, cell.left)
        mixRows(coefficients.data, low.data, high.data, above + right, below + right, v, cell.right)
        applyCell(cell, columns.weight, channels, out, y, x, starts[next] as number, certain)
      }
      index = next
    }
  }
  return { width, height, data: out }
}

/** The last entry is the end. */
function cellStarts(indices: Int32Array, count: number): Int32Array {
  const starts = new Int32Array(count + 1).fill(indices.length)
  for (let x = indices.length - 1; x >= 0; x--) starts[indices[x] as number] = x
  for (let index = count - 1; index >= 0; index--) {
    starts[index] = Math.min(starts[index] as number, starts[index + 1] as number)
  }
  return starts
}

/** −1 for cells whose limits differ. */
function findEvenCells(low: Plane, high: Plane, above: number, below: number, values: Float32Array): void {
  for (let index = 0; index < low.width; index++) {
    const next = index + 1 < low.width ? index + 1 : index
    const value = low.data[above + index] as number
    const even =
      allEqual(low.data, above + index, above + next, below + index, below + next, value) &&
      allEqual(high.data, above + index, above + next, below + index, below + next, value)
    values[index] = even ? value : -1
  }
}

interface Cell {
  left: Float64Array
  right: Float64Array
}

function allEqual(values: Float32Array, a: number, b: number, c: number, d: number, value: number): boolean {
  return values[a] === value && values[b] === value && values[c] === value && values[d] === value
}

function mixRows(
  models: Float32Array,
  low: Float32Array,
  high: Float32Array,
  above: number,
  below: number,
  v: number,
  out: Float64Array,
): void {
  for (let k = 0; k < 4; k++) {
    const upper = models[4 * above + k] as number
    out[k] = upper + v * ((models[4 * below + k] as number) - upper)
  }
  out[4] = (low[above] as number) + v * ((low[below] as number) - (low[above] as number))
  out[5] = (high[above] as number) + v * ((high[below] as number) - (high[above] as number))
}

function applyCell(
  { left, right }: Cell,
  weights: Float32Array,
  { width, values: [first, second, third], stride, halved }: Channels,
  out: Uint8Array,
  y: number,
  from: number,
  to: number,
  certain: number,
): void {
  const [a, b, c, offset, least, most] = [left[0]!, left[1]!, left[2]!, left[3]!, left[4]!, left[5]!]
  const [aStep, bStep, cStep] = [right[0]! - a, right[1]! - b, right[2]! - c]
  const [offsetStep, leastStep, mostStep] = [right[3]! - offset, right[4]! - least, right[5]! - most]
  const row = y * width
  const half = halved ? 1 : 0
  const others = (y >> half) * (width >> half)
  for (let x = from; x < to; x++) {
    const u = weights[x] as number
    const at = stride * (others + (x >> half))
    const tone =
      (a + u * aStep) * (first[stride * (row + x)] as number) +
      (b + u * bStep) * (second[at] as number) +
      (c + u * cStep) * (third[at] as number)
    const value = tone / 255 + offset + u * offsetStep
    out[row + x] = levelOf(Math.min(Math.max(value, least + u * leastStep), most + u * mostStep), certain)
  }
}

function levelOf(value: number, certain: number): number {
  const stretched = (value - certain) / (1 - 2 * certain)
  return 255 * Math.min(Math.max(stretched, 0), 1) + 0.5
}
