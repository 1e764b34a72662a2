import { dilateMask } from './morphology.ts'
import type { Picture, Plane, Size } from './picture.ts'

/**
 * For each window: three colours, their six products, the target, its products with the colours.
 */
const sumsPerWindow = 13

/**
 * Coefficients of q = red·R + green·G + blue·B + offset, colours from 0 to 1; four values a pixel.
 */
export interface GuidedCoefficients extends Size {
  data: Float32Array
}

/**
 * Window means of linear models that explain `target` by the guide (He, Sun and Tang 2010).
 * `radius` is in pixels; `epsilon` regularises the covariance of colours from 0 to 1. Coefficients
 * stay 0 where `wanted` is 0.
 */
export function guidedCoefficients(
  guide: Picture,
  target: Plane,
  radius: number,
  epsilon: number,
  wanted: Uint8Array = new Uint8Array(target.data.length).fill(1),
): GuidedCoefficients {
  const { width, height } = guide
  const modelled = dilateMask(wanted, width, height, radius)
  const models = new Float32Array(4 * width * height)
  slideWindows(
    { width, height, radius, values: sumsPerWindow, where: modelled },
    (sums, from, to, y, sign) => addMoments(sums, from, to, guide, target, y, sign),
    (window, share, i) => fitModel(window, share, epsilon, models, 4 * i),
  )
  const data = new Float32Array(4 * width * height)
  slideWindows(
    { width, height, radius, values: 4, where: wanted },
    (sums, from, to, y, sign) => {
      const row = 4 * y * width
      for (let k = 4 * from; k < 4 * to; k++) sums[k] = (sums[k] as number) + sign * (models[row + k] as number)
    },
    (window, share, i) => {
      for (let k = 0; k < 4; k++) data[4 * i + k] = share * (window[k] as number)
    },
  )
  return { width, height, data }
}

/** Filters the target in place where `wanted` is 1; returns {@link guidedCoefficients}. */
export function filterGuided(
  guide: Picture,
  target: Plane,
  radius: number,
  epsilon: number,
  wanted: Uint8Array,
): GuidedCoefficients {
  const coefficients = guidedCoefficients(guide, target, radius, epsilon, wanted)
  const [models, { data }] = [coefficients.data, guide]
  for (let i = 0, k = 0; i < wanted.length; i++, k += 4) {
    if (wanted[i] === 0) continue
    const tone = models[k]! * data[k]! + models[k + 1]! * data[k + 1]! + models[k + 2]! * data[k + 2]!
    target.data[i] = Math.min(Math.max(tone / 255 + models[k + 3]!, 0), 1)
  }
  return coefficients
}

interface Sliding extends Size {
  radius: number
  values: number
  where: Uint8Array
}

/**
 * Slides a (2·radius+1)² window at a cost nearly independent of the radius. `addRow` adds (sign −1:
 * subtracts) a row to the columns' sums; `use` receives the window's sums and 1 / its pixels.
 */
function slideWindows(
  { width, height, radius, values, where }: Sliding,
  addRow: (sums: Float64Array, from: number, to: number, y: number, sign: 1 | -1) => void,
  use: (window: Float64Array, share: number, index: number) => void,
): void {
  const sums = new Float64Array(width * values)
  const window = new Float64Array(values)
  const needed = new Uint8Array(width)
  /** Row for which each column was last summed. */
  const summed = new Int32Array(width).fill(-2)
  for (let y = 0; y < height; y++) {
    if (!markColumns(where, y * width, width, radius, needed)) continue
    for (let x = 0; x < width; ) {
      const follows = summed[x] === y - 1
      let end = x + 1
      while (end < width && needed[end] === needed[x] && (summed[end] === y - 1) === follows) end++
      if (needed[x] === 1) {
        if (follows) {
          if (y + radius < height) addRow(sums, x, end, y + radius, 1)
          if (y - radius > 0) addRow(sums, x, end, y - radius - 1, -1)
        } else {
          sums.fill(0, x * values, end * values)
          const last = Math.min(y + radius, height - 1)
          for (let row = Math.max(y - radius, 0); row <= last; row++) addRow(sums, x, end, row, 1)
        }
        summed.fill(y, x, end)
      }
      x = end
    }
    const rows = Math.min(y + radius, height - 1) - Math.max(y - radius, 0) + 1
    let filledTo = -1
    for (let x = 0; x < width; x++) {
      if (where[y * width + x] === 0) continue
      const left = Math.max(x - radius, 0)
      const right = Math.min(x + radius, width - 1)
      if (filledTo < 0 || where[y * width + x - 1] === 0) {
        window.fill(0)
        for (let k = left * values; k < (right + 1) * values; ) {
          for (let v = 0; v < values; v++, k++) window[v] = (window[v] as number) + (sums[k] as number)
        }
      } else {
        if (right > filledTo) {
          for (let v = 0, k = right * values; v < values; v++, k++)
            window[v] = (window[v] as number) + (sums[k] as number)
        }
        if (x - radius > 0) {
          for (let v = 0, k = (left - 1) * values; v < values; v++, k++)
            window[v] = (window[v] as number) - (sums[k] as number)
        }
      }
      filledTo = right
      use(window, 1 / (rows * (right - left + 1)), y * width + x)
    }
  }
}

/** False if no window covers the row. */
function markColumns(where: Uint8Array, row: number, width: number, radius: number, needed: Uint8Array): boolean {
  needed.fill(0)
  let done = 0
  for (let x = 0; x < width; x++) {
    if (where[row + x] === 0) continue
    const end = Math.min(x + radius + 1, width)
    needed.fill(1, Math.max(done, x - radius), end)
    done = end
  }
  return done > 0
}

function addMoments(
  sums: Float64Array,
  from: number,
  to: number,
  guide: Picture,
  target: Plane,
  y: number,
  sign: 1 | -1,
): void {
  const { width, data } = guide
  for (let x = from, i = y * width + from, k = from * sumsPerWindow; x < to; x++, i++, k += sumsPerWindow) {
    const r = (data[4 * i] as number) / 255
    const g = (data[4 * i + 1] as number) / 255
    const b = (data[4 * i + 2] as number) / 255
    const t = sign * (target.data[i] as number)
    const sr = sign * r
    const sg = sign * g
    const sb = sign * b
    sums[k] = (sums[k] as number) + sr
    sums[k + 1] = (sums[k + 1] as number) + sg
    sums[k + 2] = (sums[k + 2] as number) + sb
    sums[k + 3] = (sums[k + 3] as number) + sr * r
    sums[k + 4] = (sums[k + 4] as number) + sr * g
    sums[k + 5] = (sums[k + 5] as number) + sr * b
    sums[k + 6] = (sums[k + 6] as number) + sg * g
    sums[k + 7] = (sums[k + 7] as number) + sg * b
    sums[k + 8] = (sums[k + 8] as number) + sb * b
    sums[k + 9] = (sums[k + 9] as number) + t
    sums[k + 10] = (sums[k + 10] as number) + t * r
    sums[k + 11] = (sums[k + 11] as number) + t * g
    sums[k + 12] = (sums[k + 12] as number) + t * b
  }
}

function fitModel(window: Float64Array, share: number, epsilon: number, out: Float32Array, at: number): void {
  const r = share * (window[0] as number)
  const g = share * (window[1] as number)
  const b = share * (window[2] as number)
  const t = share * (window[9] as number)
  const a11 = share * (window[3] as number) - r * r + epsilon
  const a12 = share * (window[4] as number) - r * g
  const a13 = share * (window[5] as number) - r * b
  const a22 = share * (window[6] as number) - g * g + epsilon
  const a23 = share * (window[7] as number) - g * b
  const a33 = share * (window[8] as number) - b * b + epsilon
  const c1 = share * (window[10] as number) - r * t
  const c2 = share * (window[11] as number) - g * t
  const c3 = share * (window[12] as number) - b * t
  const i11 = a22 * a33 - a23 * a23
  const i12 = a13 * a23 - a12 * a33
  const i13 = a12 * a23 - a13 * a22
  const i22 = a11 * a33 - a13 * a13
  const i23 = a12 * a13 - a11 * a23
  const i33 = a11 * a22 - a12 * a12
  const determinant = a11 * i11 + a12 * i12 + a13 * i13
  const kr = (i11 * c1 + i12 * c2 + i13 * c3) / determinant
  const kg = (i12 * c1 + i22 * c2 + i23 * c3) / determinant
  const kb = (i13 * c1 + i23 * c2 + i33 * c3) / determinant
  out[at] = kr
  out[at + 1] = kg
  out[at + 2] = kb
  out[at + 3] = t - kr * r - kg * g - kb * b
}
