import { widen } from './mask.ts'
import type { Picture, Plane } from './picture.ts'
import { createPlane, sampling } from './plane.ts'

/** Sums a pixel adds to its window: three colours, their six products, the target and its three products with the colours. */
const moments = 13

/** Linear coefficients of a colour guided filter: q = red·R + green·G + blue·B + offset, colours from 0 to 1; four values a pixel in this order. */
export interface GuidedCoefficients {
  width: number
  height: number
  data: Float32Array
}

/**
 * Colour guided filter (He, Sun and Tang 2010): window means of the local linear models that explain `target` by the guide.
 * `radius` in pixels of these planes; `epsilon` regularises the colour covariance (colours from 0 to 1). Where `wanted` is 0
 * nothing is computed and the coefficients are 0.
 */
export function guidedCoefficients(
  guide: Picture,
  target: Plane,
  radius: number,
  epsilon: number,
  wanted: Uint8Array = new Uint8Array(target.data.length).fill(1),
): GuidedCoefficients {
  const { width, height } = guide
  const modelled = widen(wanted, width, height, radius)
  const models = new Float32Array(4 * width * height)
  slideWindows(
    { width, height, radius, values: moments, where: modelled },
    (sums, y, sign) => addMoments(sums, guide, target, y, sign),
    (window, share, i) => fitModel(window, share, epsilon, models, 4 * i),
  )
  const data = new Float32Array(4 * width * height)
  slideWindows(
    { width, height, radius, values: 4, where: wanted },
    (sums, y, sign) => {
      const row = 4 * y * width
      for (let k = 0; k < sums.length; k++) sums[k] = (sums[k] as number) + sign * (models[row + k] as number)
    },
    (window, share, i) => {
      for (let k = 0; k < 4; k++) data[4 * i + k] = share * (window[k] as number)
    },
  )
  return { width, height, data }
}

interface Sliding {
  width: number
  height: number
  radius: number
  /** Sums kept a window. */
  values: number
  /** 1 for the pixels whose window is asked for. */
  where: Uint8Array
}

/**
 * Moves a (2·radius+1)² window, cut at the borders, over the pixels asked for. `addRow` adds (or with sign −1 takes away) a row's values
 * to the columns' sums; `use` gets the window's sums and 1 by its number of pixels. The cost a pixel does not depend on the radius.
 */
function slideWindows(
  { width, height, radius, values, where }: Sliding,
  addRow: (sums: Float64Array, y: number, sign: 1 | -1) => void,
  use: (window: Float64Array, share: number, index: number) => void,
): void {
  const sums = new Float64Array(width * values)
  const window = new Float64Array(values)
  for (let y = 0; y < Math.min(radius, height); y++) addRow(sums, y, 1)
  for (let y = 0; y < height; y++) {
    if (y + radius < height) addRow(sums, y + radius, 1)
    if (y - radius > 0) addRow(sums, y - radius - 1, -1)
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

function addMoments(sums: Float64Array, guide: Picture, target: Plane, y: number, sign: 1 | -1): void {
  const { width, data } = guide
  for (let x = 0, i = y * width, k = 0; x < width; x++, i++, k += moments) {
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

/** The linear model of one window by the inverse of its regularised 3×3 covariance. */
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

/**
 * Applies coefficients from a reduced picture to the full one (fast guided filter, He and Sun 2015). The result stays between `low` and
 * `high`, planes of the coefficients' size, so that no colour far from the model draws streaks; where both agree nothing is computed
 * and no coefficients are needed.
 */
export function applyGuided(coefficients: GuidedCoefficients, picture: Picture, low: Plane, high: Plane): Plane {
  const { width, height } = picture
  const out = createPlane(width, height)
  const columns = sampling(low.width, width)
  const rows = sampling(low.height, height)
  const corners = new Int32Array(4)
  for (let y = 0; y < height; y++) {
    const above = (rows.index[y] as number) * low.width
    const below = low.height > 1 ? above + low.width : above
    const v = rows.weight[y] as number
    for (let x = 0; x < width; ) {
      const left = columns.index[x] as number
      const right = left + 1 < low.width ? left + 1 : left
      let end = x + 1
      while (end < width && columns.index[end] === left) end++
      corners[0] = above + left
      corners[1] = above + right
      corners[2] = below + left
      corners[3] = below + right
      const floor = low.data[above + left] as number
      if (allEqual(low.data, corners, floor) && allEqual(high.data, corners, floor)) {
        if (floor !== 0) out.data.fill(floor, y * width + x, y * width + end)
      } else {
        for (let place = x; place < end; place++) {
          const i = y * width + place
          const u = columns.weight[place] as number
          const wa = (1 - u) * (1 - v)
          const wb = u * (1 - v)
          const wc = (1 - u) * v
          const wd = u * v
          const value = mixModel(coefficients.data, corners, wa, wb, wc, wd, picture.data, 4 * i)
          const least = mix(low.data, corners, wa, wb, wc, wd)
          const most = mix(high.data, corners, wa, wb, wc, wd)
          out.data[i] = Math.min(Math.max(value, least), most)
        }
      }
      x = end
    }
  }
  return out
}

function allEqual(values: Float32Array, corners: Int32Array, value: number): boolean {
  return (
    values[corners[0] as number] === value &&
    values[corners[1] as number] === value &&
    values[corners[2] as number] === value &&
    values[corners[3] as number] === value
  )
}

/** A value between four corners. */
function mix(values: Float32Array, corners: Int32Array, wa: number, wb: number, wc: number, wd: number): number {
  return (
    wa * (values[corners[0] as number] as number) +
    wb * (values[corners[1] as number] as number) +
    wc * (values[corners[2] as number] as number) +
    wd * (values[corners[3] as number] as number)
  )
}

/** The filter's value for one pixel of the picture, from the models at four corners. */
function mixModel(
  models: Float32Array,
  corners: Int32Array,
  wa: number,
  wb: number,
  wc: number,
  wd: number,
  pixels: Uint8ClampedArray,
  at: number,
): number {
  let sum = 0
  for (let c = 0; c < 4; c++) {
    const k = 4 * (corners[c] as number)
    const weight = c === 0 ? wa : c === 1 ? wb : c === 2 ? wc : wd
    const tone =
      (models[k] as number) * (pixels[at] as number) +
      (models[k + 1] as number) * (pixels[at + 1] as number) +
      (models[k + 2] as number) * (pixels[at + 2] as number)
    sum += weight * (tone / 255 + (models[k + 3] as number))
  }
  return sum
}
