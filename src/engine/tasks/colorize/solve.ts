import type { Plane } from '#engine/image/picture.ts'
import { boxBlur, createPlane, resizeSmooth, sampling, shrink } from '#engine/image/plane.ts'
import { eachNeighbours, type Neighbours } from './geodesic.ts'

/**
 * What is known of some planes before they are spread: their values, and how firmly each pixel
 * holds to its own, 0 not at all.
 */
export interface Belief {
  values: readonly Plane[]
  weight: Plane
}

/**
 * The least difference in lightness (0 to 1) at which two pixels part; in rough places it is as
 * large as differences usually are there.
 */
const parting = 0.03
/** Variance of the roughest surface; beyond it lies an edge. */
const roughest = 0.004
const sweeps = 18
const smallest = 24
const relaxation = 1.75

/**
 * Spreads values between pixels of alike lightness and stops them at edges: the quadratic energy of
 * Levin, Lischinski and Weiss (2004) with symmetric weights over four neighbours and a data term of
 * each pixel's own strength. Solved from coarse to fine (cascadic multigrid, Bornemann and
 * Deuflhard 1996) with successive over-relaxation. Lightness 0 to 1; all planes of one size.
 */
export function spreadColours(lightness: Plane, belief: Belief): Plane[] {
  const { width, height } = lightness
  const small = Math.min(width, height) <= smallest
  const starts = small
    ? belief.values.map((value) => createPlane(width, height, meanOf(value, belief.weight)))
    : coarser(lightness, belief).map((plane) => resizeSmooth(plane, width, height))
  relax(starts, belief, linksOf(lightness), small ? 4 * sweeps : sweeps)
  return starts
}

function coarser(lightness: Plane, { values, weight }: Belief): Plane[] {
  const [width, height] = [Math.ceil(lightness.width / 2), Math.ceil(lightness.height / 2)]
  const weights = shrink(weight, width, height)
  const coarse = values.map((value) => {
    const product = createPlane(value.width, value.height)
    for (let i = 0; i < product.data.length; i++)
      product.data[i] = (value.data[i] as number) * (weight.data[i] as number)
    const sum = shrink(product, width, height)
    for (let i = 0; i < sum.data.length; i++) {
      const share = weights.data[i] as number
      sum.data[i] = share > 1e-9 ? (sum.data[i] as number) / share : 0
    }
    return sum
  })
  // A coarse pixel stands for four, its links for two each.
  for (let i = 0; i < weights.data.length; i++) weights.data[i] = 4 * (weights.data[i] as number)
  return spreadColours(shrink(lightness, width, height), { values: coarse, weight: weights })
}

function meanOf(value: Plane, weight: Plane): number {
  let [sum, all] = [0, 1e-9]
  for (let i = 0; i < value.data.length; i++) {
    sum += (value.data[i] as number) * (weight.data[i] as number)
    all += weight.data[i] as number
  }
  return sum / all
}

/** How strongly each pixel is tied to its neighbours. */
function linksOf(lightness: Plane): Neighbours {
  const { data } = lightness
  const variance = localVariance(lightness)
  const alike = (i: number, j: number) => {
    const away = (data[i] as number) - (data[j] as number)
    const usual = parting * parting + 0.6 * ((variance[i] as number) + (variance[j] as number)) * 0.5
    return Math.exp((-0.5 * away * away) / usual) + 0.0001
  }
  return eachNeighbours(lightness, alike)
}

function localVariance(plane: Plane): Float32Array {
  const squares = createPlane(plane.width, plane.height)
  for (let i = 0; i < squares.data.length; i++) squares.data[i] = (plane.data[i] as number) ** 2
  const [mean, square] = [boxBlur(plane, 1), boxBlur(squares, 1)]
  return square.data.map((value, i) => Math.min(roughest, Math.max(0, value - (mean.data[i] as number) ** 2)))
}

/** Sweeps forwards and backwards by turns, in place. */
function relax(
  planes: readonly Plane[],
  { values, weight }: Belief,
  { right, below }: Neighbours,
  count: number,
): void {
  const { width, height } = weight
  const size = width * height
  // With a row of zeros before and after it no pixel needs to know whether it lies at a border: its
  // links there are 0.
  const ties = new Float32Array(size + width)
  ties.set(below, width)
  const step = new Float32Array(size)
  for (let i = 0; i < size; i++) {
    const left = i > 0 ? (right[i - 1] as number) : 0
    const all = (weight.data[i] as number) + (right[i] as number) + left + (ties[i] as number) + (below[i] as number)
    step[i] = relaxation / all
  }
  const lefts = new Float32Array(size + 1)
  lefts.set(right, 1)
  const spread = planes.map(({ data }, index) => {
    const { data: value } = values[index] as Plane
    const padded = new Float32Array(size + 2 * width)
    padded.set(data, width)
    return { known: weight.data.map((share, i) => share * (value[i] as number)), padded }
  })
  // Each pixel waits for the one before it, so two planes together take hardly longer than one.
  for (let index = 0; index < spread.length; index += 2) {
    const { known: knownA, padded: a } = spread[index] as (typeof spread)[number]
    const { known: knownB, padded: b } = spread[index + 1] ?? { known: knownA, padded: a.slice() }
    for (let sweep = 0; sweep < count; sweep++) {
      const [from, to, by] = sweep % 2 === 0 ? [0, size, 1] : [size - 1, -1, -1]
      for (let i = from; i !== to; i += by) {
        const here = i + width
        const left = lefts[i] as number
        const next = lefts[i + 1] as number
        const above = ties[i] as number
        const under = ties[here] as number
        const factor = step[i] as number
        const sumA =
          (knownA[i] as number) +
          left * (a[here - 1] as number) +
          next * (a[here + 1] as number) +
          above * (a[i] as number) +
          under * (a[here + width] as number)
        const sumB =
          (knownB[i] as number) +
          left * (b[here - 1] as number) +
          next * (b[here + 1] as number) +
          above * (b[i] as number) +
          under * (b[here + width] as number)
        a[here] = (1 - relaxation) * (a[here] as number) + factor * sumA
        b[here] = (1 - relaxation) * (b[here] as number) + factor * sumB
      }
    }
  }
  for (const [index, { padded }] of spread.entries()) {
    planes[index]?.data.set(padded.subarray(width, size + width))
  }
}

/**
 * How much a small pixel counts for a large one, by the difference of their lightness in
 * hundredths.
 */
const likeness = Float32Array.from({ length: 101 }, (_, away) => Math.exp(-0.5 * (away / 6) ** 2) + 1e-3)

/**
 * Reads small planes of one size along the edges of a larger lightness plane (joint bilateral
 * upsampling, Kopf et al. 2007); `small` is the lightness that they belong to. Calls `take` for
 * every pixel of the large plane with the planes' values there, which the next call overwrites.
 */
export function enlargeAlong(
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
  // The values of a pixel next to each other.
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
