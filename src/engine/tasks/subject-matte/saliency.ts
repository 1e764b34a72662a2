import { luma } from '#engine/image/luma.ts'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { boxBlur, createPlane } from '#engine/image/plane.ts'
import { quantile } from '#engine/image/quantile.ts'

/**
 * How much each pixel stands out from what touches the border, 0 to 1: minimum barrier distance by
 * raster scans (Zhang et al. 2015), summed over brightness and two colour differences and scaled so
 * that the most salient pixels reach 1. Meant for pictures ≤ 256 px. All zero when nothing stands
 * out, as in an even picture.
 */
export function barrierSaliency(picture: Picture, passes = 4): Plane {
  const { width, height, data } = picture
  const total = createPlane(width, height)
  for (let channel = 0; channel < 3; channel++) {
    const values = createPlane(width, height)
    for (let i = 0; i < values.data.length; i++) {
      const red = data[4 * i] as number
      const green = data[4 * i + 1] as number
      const blue = data[4 * i + 2] as number
      const light = luma(red, green, blue)
      values.data[i] = channel === 0 ? light : channel === 1 ? (red - light) * 1.4 : (blue - light) * 1.1
    }
    const smooth = boxBlur(values, 1)
    const distance = barrierDistance(smooth, passes)
    for (let i = 0; i < total.data.length; i++) total.data[i] = (total.data[i] as number) + (distance[i] as number)
  }
  const blurred = boxBlur(total, Math.max(1, Math.round(Math.max(width, height) / 100)))
  const top = quantile(blurred.data, 0.98)
  const gain = top > 24 ? 1 / top : 0
  for (let i = 0; i < blurred.data.length; i++) blurred.data[i] = Math.min(1, (blurred.data[i] as number) * gain)
  return blurred
}

function barrierDistance(values: Plane, passes: number): Float32Array {
  const { width, height, data } = values
  const distance = new Float32Array(width * height).fill(1e9)
  const high = data.slice()
  const low = data.slice()
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (x === 0 || y === 0 || x === width - 1 || y === height - 1) distance[y * width + x] = 0
    }
  }
  const relax = (i: number, from: number): void => {
    const value = data[i] as number
    const upper = Math.max(high[from] as number, value)
    const lower = Math.min(low[from] as number, value)
    if (upper - lower < (distance[i] as number)) {
      distance[i] = upper - lower
      high[i] = upper
      low[i] = lower
    }
  }
  for (let pass = 0; pass < passes; pass++) {
    if (pass % 2 === 0) {
      for (let y = 1; y < height; y++) {
        for (let x = 1; x < width; x++) {
          relax(y * width + x, y * width + x - 1)
          relax(y * width + x, (y - 1) * width + x)
        }
      }
    } else {
      for (let y = height - 2; y >= 0; y--) {
        for (let x = width - 2; x >= 0; x--) {
          relax(y * width + x, y * width + x + 1)
          relax(y * width + x, (y + 1) * width + x)
        }
      }
    }
  }
  return distance
}

/**
 * The value that parts a plane of values from 0 to 1 into the two groups that differ most (Otsu
 * 1979).
 */
export function partingValue(plane: Plane): number {
  const bins = 64
  const counts = new Float64Array(bins)
  for (const value of plane.data) {
    const bin = Math.min(bins - 1, Math.floor(value * bins))
    counts[bin] = (counts[bin] as number) + 1
  }
  let all = 0
  for (let bin = 0; bin < bins; bin++) all += bin * (counts[bin] as number)
  let below = 0
  let sum = 0
  let best = 0
  let parting = 0.5
  for (let bin = 0; bin < bins - 1; bin++) {
    below += counts[bin] as number
    sum += bin * (counts[bin] as number)
    const above = plane.data.length - below
    if (below === 0 || above === 0) continue
    const gap = sum / below - (all - sum) / above
    const variance = below * above * gap * gap
    if (variance > best) {
      best = variance
      parting = (bin + 1) / bins
    }
  }
  return parting
}
