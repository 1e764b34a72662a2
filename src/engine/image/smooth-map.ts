import { createPlane, type Plane } from './picture.ts'
import { boxBlur, feather, resizeSmooth, shrink } from './plane.ts'

/**
 * Weighted mean around each pixel (normalised convolution), continued into areas without weight.
 */
export function smoothMap(values: Plane, weight: Plane, reach: number): Plane {
  return smoothMaps([values], weight, reach)[0] as Plane
}

/** {@link smoothMap} for several planes with the same weight. */
export function smoothMaps(values: readonly Plane[], weight: Plane, reach: number): Plane[] {
  const { means, known } = meansAround(values, weight, reach)
  return means.map((mean) => resizeSmooth(fillFromSurroundings(mean, known), weight.width, weight.height))
}

/** {@link smoothMap} without the continuation: 0 in areas without weight. */
export function smoothMapWithin(values: Plane, weight: Plane, reach: number): Plane {
  const { means } = meansAround([values], weight, reach)
  return resizeSmooth(means[0] as Plane, values.width, values.height)
}

/** Means at the reduced size; `known` is their certainty, 0 to 1. */
function meansAround(values: readonly Plane[], weight: Plane, reach: number): { means: Plane[]; known: Plane } {
  const full = { width: weight.width, height: weight.height }
  const step = Math.max(1, Math.floor(reach / 3))
  const [width, height] = [Math.max(1, Math.round(full.width / step)), Math.max(1, Math.round(full.height / step))]
  const share = feather(shrink(weight, width, height), reach / step)
  const known = createPlane(width, height)
  for (let i = 0; i < known.data.length; i++) {
    const found = share.data[i] as number
    known.data[i] = found > 1e-3 ? Math.min(1, 8 * found) : 0
  }
  const weighted = createPlane(full.width, full.height)
  const means = values.map(({ data }) => {
    for (let i = 0; i < weighted.data.length; i++) {
      weighted.data[i] = (weight.data[i] as number) * (data[i] as number)
    }
    const mean = feather(shrink(weighted, width, height), reach / step)
    for (let i = 0; i < mean.data.length; i++) {
      const found = share.data[i] as number
      mean.data[i] = found > 1e-3 ? (mean.data[i] as number) / found : 0
    }
    return mean
  })
  return { means, known }
}

/**
 * Replaces pixels of weight 0 by means of increasingly wide surroundings; pixels of weight 1 stay.
 */
export function fillFromSurroundings(plane: Plane, weight: Plane): Plane {
  const { width, height } = plane
  const count = width * height
  const out = createPlane(width, height)
  const left = createPlane(width, height, 1)
  const weighted = createPlane(width, height)
  for (let i = 0; i < count; i++) {
    const w = weight.data[i] as number
    weighted.data[i] = w * (plane.data[i] as number)
    out.data[i] = weighted.data[i] as number
    left.data[i] = 1 - w
  }
  const [sum, share] = [createPlane(width, height), createPlane(width, height)]
  for (let radius = 2; radius < 2 * Math.max(width, height); radius *= 2) {
    boxBlur(weighted, radius, sum)
    boxBlur(weight, radius, share)
    let open = false
    for (let i = 0; i < count; i++) {
      const rest = left.data[i] as number
      if (rest <= 0) continue
      open = true
      const found = share.data[i] as number
      if (found <= 1e-4) continue
      const taken = rest * Math.min(1, found * 4)
      out.data[i] = (out.data[i] as number) + (taken * (sum.data[i] as number)) / found
      left.data[i] = rest - taken
    }
    if (!open) break
  }
  for (let i = 0; i < count; i++) {
    const kept = 1 - (left.data[i] as number)
    out.data[i] = kept > 1e-6 ? (out.data[i] as number) / kept : (plane.data[i] as number)
  }
  return out
}

/**
 * Mean absolute deviation from the surroundings within `reach` pixels, averaged within `around`
 * pixels; in the plane's unit.
 */
export function roughness(plane: Plane, reach: number, around = reach): Plane {
  const mean = boxBlur(plane, reach)
  for (let i = 0; i < mean.data.length; i++)
    mean.data[i] = Math.abs((plane.data[i] as number) - (mean.data[i] as number))
  return boxBlur(mean, around)
}
