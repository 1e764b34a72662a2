import type { Box } from '#contract/media.ts'
import type { EngineHost } from '#engine/host.ts'
import { wholeOf } from '#engine/image/geometry.ts'
import { quantile } from '#engine/image/numbers.ts'
import { createPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { boxBlur, resizeSmooth } from '#engine/image/plane.ts'
import { luma, lumaOf } from '#engine/image/tones.ts'
import { averageView, greyMirrored, modelInput, plain } from './person-views.ts'

/** Log odds of each pixel by what speaks for the subject. */
export interface Evidence {
  salient: Plane
  sharp: Plane
  living: Plane
  central: Plane
}

/** What is found in `picture`, of the size of `small`, the same reduced. */
export async function findEvidence(picture: Picture, small: Picture, host: EngineHost): Promise<Evidence> {
  const { width, height } = small
  const input = await modelInput(picture, host)
  const { odds } = await averageView(wholeOf(picture), input, [plain, greyMirrored], host)
  const stands = barrierSaliency(small)
  const fine = fineness(small)
  const alive = resizeSmooth(odds, width, height)
  const [parting, blurred] = [Math.min(partingValue(stands), 0.5), Math.min(partingValue(fine), 0.6)]
  const central = createPlane(width, height)
  for (let i = 0; i < central.data.length; i++) {
    const x = (i % width) / width - 0.5
    const y = Math.floor(i / width) / height - 0.5
    central.data[i] = 1.5 - 12 * (x * x + y * y)
    stands.data[i] = 5 * ((stands.data[i] as number) - parting)
    fine.data[i] = 4 * ((fine.data[i] as number) - blurred)
    alive.data[i] = Math.min(4, Math.max(-4, alive.data[i] as number))
  }
  return { salient: stands, sharp: fine, living: alive, central }
}

/**
 * What might be the subject, 0 to 1, by different evidence; anywhere and in `frames`, or `only`
 * there.
 */
export function beliefsOf(
  { salient, sharp, living, central }: Evidence,
  frames: readonly Box[],
  only: boolean,
): Plane[] {
  const { width, height } = salient
  const belief = (oddsAt: (i: number) => number): Plane => {
    const plane = createPlane(width, height)
    for (let i = 0; i < plane.data.length; i++) plane.data[i] = 1 / (1 + Math.exp(-oddsAt(i)))
    return plane
  }
  const at = (plane: Plane, i: number) => plane.data[i] as number
  const all = (i: number) => 0.5 * at(living, i) + 0.6 * at(salient, i) + 0.4 * at(sharp, i)
  const framed = (oddsAt: (i: number) => number) =>
    belief((i) => (frames.some((frame) => isInside(frame, i % width, Math.floor(i / width))) ? oddsAt(i) : -8))
  if (only) {
    return [
      framed((i) => 0.5 * at(salient, i) + 1),
      framed((i) => at(salient, i) + 0.5),
      framed((i) => 0.8 * all(i) + 1.5),
    ]
  }
  const anywhere = [
    belief((i) => at(salient, i)),
    belief((i) => at(sharp, i) + 0.5 * at(salient, i) + 0.5 * at(central, i)),
    belief((i) => at(living, i)),
    belief((i) => all(i) + 0.4 * at(central, i)),
  ]
  return frames.length > 0 ? [...anywhere, framed((i) => 0.8 * all(i) + 1.5)] : anywhere
}

const isInside = ({ x, y, width, height }: Box, column: number, row: number) =>
  column + 0.5 >= x && row + 0.5 >= y && column + 0.5 <= x + width && row + 0.5 <= y + height

/** How much fine detail lies around each pixel, 0 to 1: what is out of focus has little. */
function fineness(picture: Picture): Plane {
  const { width, height } = picture
  const { data } = lumaOf(picture)
  const fine = createPlane(width, height)
  for (let y = 1; y < height - 1; y++) {
    for (let i = y * width + 1; i < (y + 1) * width - 1; i++) {
      const around = data[i - 1]! + data[i + 1]! + data[i - width]! + data[i + width]!
      fine.data[i] = Math.abs(4 * (data[i] as number) - around)
    }
  }
  const smooth = boxBlur(fine, 6)
  const top = Math.max(1, quantile(smooth.data, 0.95))
  for (let i = 0; i < smooth.data.length; i++) smooth.data[i] = Math.min(1, (smooth.data[i] as number) / top)
  return smooth
}

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

function barrierDistance({ width, height, data }: Plane, passes: number): Float32Array {
  const distance = new Float32Array(width * height)
  const high = data.slice()
  const low = data.slice()
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
  // The rim is where all ways begin.
  for (let y = 1; y < height - 1; y++) distance.fill(1e9, y * width + 1, (y + 1) * width - 1)
  for (let pass = 0; pass < passes; pass++) {
    const back = pass % 2 === 1
    const step = back ? -1 : 1
    for (let n = width + 1; n < distance.length - width - 1; n++) {
      const i = back ? distance.length - 1 - n : n
      relax(i, i - step)
      relax(i, i - step * width)
    }
  }
  return distance
}

/**
 * The value that parts a plane of values from 0 to 1 into the two groups that differ most (Otsu
 * 1979).
 */
function partingValue(plane: Plane): number {
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
