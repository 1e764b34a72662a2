import type { Picture, Plane } from './picture.ts'
import { boxBlur, createPlane, sampling } from './plane.ts'

/** Red, green and blue of a picture as planes from 0 to 1. */
export function colourPlanes(picture: Picture): [Plane, Plane, Plane] {
  const { width, height, data } = picture
  const red = createPlane(width, height)
  const green = createPlane(width, height)
  const blue = createPlane(width, height)
  for (let i = 0, j = 0; i < data.length; i += 4, j++) {
    red.data[j] = (data[i] as number) / 255
    green.data[j] = (data[i + 1] as number) / 255
    blue.data[j] = (data[i + 2] as number) / 255
  }
  return [red, green, blue]
}

/** Linear coefficients of a colour guided filter: q = red·R + green·G + blue·B + offset, colours from 0 to 1. */
export interface GuidedCoefficients {
  red: Plane
  green: Plane
  blue: Plane
  offset: Plane
}

/**
 * Colour guided filter (He, Sun and Tang 2010): window means of the local linear models that explain `target` by the guide.
 * `radius` in pixels of these planes; `epsilon` regularises the colour covariance (colours from 0 to 1).
 */
export function guidedCoefficients(guide: Picture, target: Plane, radius: number, epsilon: number): GuidedCoefficients {
  const { width, height } = guide
  const [red, green, blue] = colourPlanes(guide)
  const product = createPlane(width, height)
  const blur = (plane: Plane): Plane => boxBlur(plane, radius)
  const times = (a: Plane, b: Plane): Plane => {
    for (let i = 0; i < product.data.length; i++) product.data[i] = (a.data[i] as number) * (b.data[i] as number)
    return boxBlur(product, radius)
  }
  const meanR = blur(red)
  const meanG = blur(green)
  const meanB = blur(blue)
  const meanT = blur(target)
  const rr = times(red, red)
  const rg = times(red, green)
  const rb = times(red, blue)
  const gg = times(green, green)
  const gb = times(green, blue)
  const bb = times(blue, blue)
  const rt = times(red, target)
  const gt = times(green, target)
  const bt = times(blue, target)
  for (let i = 0; i < meanT.data.length; i++) {
    const r = meanR.data[i] as number
    const g = meanG.data[i] as number
    const b = meanB.data[i] as number
    const t = meanT.data[i] as number
    const a11 = (rr.data[i] as number) - r * r + epsilon
    const a12 = (rg.data[i] as number) - r * g
    const a13 = (rb.data[i] as number) - r * b
    const a22 = (gg.data[i] as number) - g * g + epsilon
    const a23 = (gb.data[i] as number) - g * b
    const a33 = (bb.data[i] as number) - b * b + epsilon
    const c1 = (rt.data[i] as number) - r * t
    const c2 = (gt.data[i] as number) - g * t
    const c3 = (bt.data[i] as number) - b * t
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
    rt.data[i] = kr
    gt.data[i] = kg
    bt.data[i] = kb
    meanT.data[i] = t - kr * r - kg * g - kb * b
  }
  return { red: blur(rt), green: blur(gt), blue: blur(bt), offset: blur(meanT) }
}

/**
 * Applies coefficients from a reduced picture to the full one (fast guided filter, He and Sun 2015). The result stays between `low` and
 * `high`, planes of the coefficients' size, so that no colour far from the model draws streaks; where both agree nothing is computed.
 */
export function applyGuided(coefficients: GuidedCoefficients, picture: Picture, low: Plane, high: Plane): Plane {
  const { width, height, data } = picture
  const { red, green, blue, offset } = coefficients
  const out = createPlane(width, height)
  const columns = sampling(red.width, width)
  const rows = sampling(red.height, height)
  const planes = [red.data, green.data, blue.data, offset.data, low.data, high.data]
  const line = planes.map(() => new Float32Array(red.width))
  const [lineR, lineG, lineB, lineO, lineLow, lineHigh] = line as [
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
  ]
  for (let y = 0; y < height; y++) {
    const above = (rows.index[y] as number) * red.width
    const below = red.height > 1 ? above + red.width : above
    const v = rows.weight[y] as number
    for (let p = 0; p < planes.length; p++) {
      const plane = planes[p] as Float32Array
      const row = line[p] as Float32Array
      for (let x = 0; x < row.length; x++) {
        const a = plane[above + x] as number
        row[x] = a + ((plane[below + x] as number) - a) * v
      }
    }
    for (let x = 0, i = y * width; x < width; x++, i++) {
      const left = columns.index[x] as number
      const right = left + 1 < red.width ? left + 1 : left
      const floor = lineLow[left] as number
      if (floor === lineHigh[left] && floor === lineLow[right] && floor === lineHigh[right]) {
        out.data[i] = floor
        continue
      }
      const u = columns.weight[x] as number
      const w = 1 - u
      const j = i * 4
      const r = (lineR[left] as number) * w + (lineR[right] as number) * u
      const g = (lineG[left] as number) * w + (lineG[right] as number) * u
      const b = (lineB[left] as number) * w + (lineB[right] as number) * u
      const o = (lineO[left] as number) * w + (lineO[right] as number) * u
      const value = (r * (data[j] as number) + g * (data[j + 1] as number) + b * (data[j + 2] as number)) / 255 + o
      const least = floor * w + (lineLow[right] as number) * u
      const most = (lineHigh[left] as number) * w + (lineHigh[right] as number) * u
      out.data[i] = Math.min(Math.max(value, least), most)
    }
  }
  return out
}
