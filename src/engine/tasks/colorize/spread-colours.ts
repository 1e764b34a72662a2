import { smoothKeepingEdges } from '#engine/image/domain-transform.ts'
import type { Plane, Size } from '#engine/image/picture.ts'
import { sampling } from '#engine/image/plane.ts'

export interface StepCosts {
  step: number
  /** Cost of a lightness difference of 1; differences below `grain` are free. */
  edge: number
  grain: number
  /** Cost of a difference of 1 in any of the labels. */
  label: number
}

/** 0 beyond the borders. */
interface GeodesicSteps extends Size {
  right: Float32Array
  below: Float32Array
}

/** Lightness and labels are 0 to 1 and of one size. */
export function geodesicSteps(
  { width, height, data }: Plane,
  labels: readonly Plane[],
  { step, edge, grain, label }: StepCosts,
): GeodesicSteps {
  const cost = (i: number, j: number) => {
    let sum = step + edge * Math.max(0, Math.abs((data[i] as number) - (data[j] as number)) - grain)
    for (const { data: own } of labels) sum += label * Math.abs((own[i] as number) - (own[j] as number))
    return sum
  }
  const [right, below] = [new Float32Array(width * height), new Float32Array(width * height)]
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if (x + 1 < width) right[i] = cost(i, i + 1)
      if (y + 1 < height) below[i] = cost(i, i + width)
    }
  }
  return { width, height, right, below }
}

/** Shortest distances from the pixels at 0, in place, by raster scans (Toivanen 1996). */
export function geodesicDistance({ width, height, right, below }: GeodesicSteps, distance: Float32Array): void {
  const relax = (i: number, j: number, cost: number) => {
    const way = (distance[j] as number) + cost
    if (way < (distance[i] as number)) distance[i] = way
  }
  for (let round = 0; round < 3; round++) {
    for (let y = 0; y < height; y++) {
      const [first, last] = [y * width, (y + 1) * width - 1]
      if (y > 0) for (let i = first; i <= last; i++) relax(i, i - width, below[i - width] as number)
      for (let i = first + 1; i <= last; i++) relax(i, i - 1, right[i - 1] as number)
      for (let i = last - 1; i >= first; i--) relax(i, i + 1, right[i] as number)
    }
    for (let y = height - 1; y >= 0; y--) {
      const [first, last] = [y * width, (y + 1) * width - 1]
      if (y + 1 < height) for (let i = first; i <= last; i++) relax(i, i + width, below[i] as number)
      for (let i = last - 1; i >= first; i--) relax(i, i + 1, right[i] as number)
      for (let i = first + 1; i <= last; i++) relax(i, i - 1, right[i - 1] as number)
    }
  }
}

/** `weight` is each pixel's confidence, from 0. */
export interface KnownColours {
  values: readonly Plane[]
  weight: Plane
}

/** Spreading distance as a share of the longer side, and the difference that stops it. */
const reach = { far: 0.1, edge: 0.05 } as const

/**
 * Spreads values between pixels of similar lightness up to edges, approximating the energy of
 * Levin, Lischinski and Weiss (2004) by normalised convolution (domain transform, Gastal & Oliveira
 * 2011). Lightness is 0 to 1; planes have one size.
 */
export function spreadColours(lightness: Plane, { values, weight }: KnownColours): Plane[] {
  const { width, height } = lightness
  const known = values.map(({ data }) => ({
    width,
    height,
    data: data.map((value, i) => value * (weight.data[i] as number)),
  }))
  const share = { ...weight, data: weight.data.slice() }
  smoothKeepingEdges([...known, share], [lightness], {
    sigmaSpace: reach.far * Math.max(width, height),
    sigmaRange: reach.edge,
    rounds: 4,
  })
  for (const { data } of known)
    for (let i = 0; i < data.length; i++) data[i] = (data[i] as number) / Math.max(1e-9, share.data[i] as number)
  return known
}

/** Weight of a small plane's pixel by its lightness difference in hundredths. */
const likeness = Float32Array.from({ length: 101 }, (_, away) => Math.exp(-0.5 * (away / 6) ** 2) + 1e-3)

/**
 * Samples small planes along the edges of a larger lightness plane (joint bilateral upsampling,
 * Kopf et al. 2007); `small` is their lightness. `take` is called for every pixel with an array
 * that the next call reuses.
 */
export function jointBilateralUpsample(
  planes: readonly Plane[],
  small: Plane,
  large: Plane,
  take: (i: number, values: Float32Array) => void,
): void {
  const { width, height } = large
  const [columns, rows] = [sampling(small.width, width), sampling(small.height, height)]
  const right = small.width > 1 ? 1 : 0
  const below = small.height > 1 ? small.width : 0
  const values = new Float32Array(planes.length)
  const count = planes.length
  const together = new Float32Array(count * small.data.length)
  for (const [k, { data }] of planes.entries()) {
    for (let i = 0; i < data.length; i++) together[count * i + k] = data[i] as number
  }
  const shareOf = (j: number, here: number) =>
    likeness[Math.min(100, (100 * Math.abs((small.data[j] as number) - here) + 0.5) | 0)] as number
  for (let y = 0, i = 0; y < height; y++) {
    const top = (rows.index[y] as number) * small.width
    const v = rows.weight[y] as number
    for (let x = 0; x < width; x++, i++) {
      const at = top + (columns.index[x] as number)
      const u = columns.weight[x] as number
      const here = large.data[i] as number
      let s0 = (1 - u) * (1 - v) * shareOf(at, here)
      let s1 = u * (1 - v) * shareOf(at + right, here)
      let s2 = (1 - u) * v * shareOf(at + below, here)
      let s3 = u * v * shareOf(at + below + right, here)
      const all = 1 / (s0 + s1 + s2 + s3)
      ;[s0, s1, s2, s3] = [s0 * all, s1 * all, s2 * all, s3 * all]
      const from = count * at
      for (let k = 0; k < count; k++) {
        values[k] =
          s0 * (together[from + k] as number) +
          s1 * (together[from + count * right + k] as number) +
          s2 * (together[from + count * below + k] as number) +
          s3 * (together[from + count * (below + right) + k] as number)
      }
      take(i, values)
    }
  }
}
