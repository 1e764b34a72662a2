import { floats, unclearedFloats, unclearedInts } from '#engine/image/arena.ts'
import { luma } from '#engine/image/luma.ts'
import type { Picture, Plane } from '#engine/image/picture.ts'

const dimensions = 5
const rounds = 6
/** A cluster this much less likely than the best one, in logarithms, adds nothing. */
const negligible = 6

/**
 * A mixture of axis-aligned Gaussians over brightness, two colour differences and the place in the
 * picture.
 */
export interface ColourModel {
  count: number
  /** Five means a cluster. */
  mean: Float32Array
  /** Five inverse variances a cluster. */
  precision: Float32Array
  /** Log of weight and normalisation a cluster. */
  scale: Float32Array
  /** Weight of the place: how many units of brightness the longer side of the picture counts. */
  reach: number
}

/**
 * Fits clusters to the pixels where `chosen` holds, by k-means on at most `samples` of them.
 * `reach` says how local the colours are: 0 ignores the place, larger values make a colour count
 * only near where it was seen. Returns undefined when too few pixels are chosen.
 */
export function fitColours(
  picture: Picture,
  chosen: (index: number) => boolean,
  count: number,
  reach: number,
  samples = 4000,
): ColourModel | undefined {
  const indices = unclearedInts(picture.width * picture.height)
  let found = 0
  for (let i = 0; i < indices.length; i++) if (chosen(i)) indices[found++] = i
  if (found < 4 * dimensions) return undefined
  const clusters = Math.min(count, Math.floor(found / (2 * dimensions)))
  const taken = Math.min(samples, found)
  const points = unclearedFloats(taken * dimensions)
  for (let s = 0; s < taken; s++) {
    feature(picture, indices[Math.floor(((s + 0.5) * found) / taken)] as number, reach, points, s * dimensions)
  }
  const mean = spreadSeeds(points, clusters)
  const owner = unclearedInts(taken)
  const sums = new Float64Array(clusters * dimensions)
  const sizes = new Float64Array(clusters)
  for (let round = 0; round < rounds; round++) {
    assign(points, mean, owner, sums, sizes)
    for (let c = 0; c < clusters; c++) {
      if (sizes[c] === 0) continue
      for (let d = 0; d < dimensions; d++)
        mean[c * dimensions + d] = (sums[c * dimensions + d] as number) / (sizes[c] as number)
    }
  }
  return modelOf(points, owner, mean, clusters, reach)
}

function modelOf(
  points: Float32Array,
  owner: Int32Array,
  mean: Float32Array,
  clusters: number,
  reach: number,
): ColourModel {
  const precision = new Float32Array(clusters * dimensions)
  const scale = new Float32Array(clusters)
  const sizes = new Float64Array(clusters)
  const spread = new Float64Array(clusters * dimensions)
  for (let s = 0; s < owner.length; s++) {
    const own = owner[s] as number
    sizes[own] = (sizes[own] as number) + 1
    for (let d = 0; d < dimensions; d++) {
      const away = (points[s * dimensions + d] as number) - (mean[own * dimensions + d] as number)
      spread[own * dimensions + d] = (spread[own * dimensions + d] as number) + away * away
    }
  }
  for (let c = 0; c < clusters; c++) {
    const size = sizes[c] as number
    let log = size > 0 ? Math.log(size / owner.length) : -50
    for (let d = 0; d < dimensions; d++) {
      const floor = d < 3 ? 0.01 ** 2 : (0.06 * reach) ** 2 + 1e-6
      const variance = (spread[c * dimensions + d] as number) / Math.max(size, 1) + floor
      precision[c * dimensions + d] = 1 / variance
      if (d < 3 || reach > 0) log -= 0.5 * Math.log(variance)
    }
    scale[c] = log
  }
  return { count: clusters, mean, precision, scale, reach }
}

/**
 * Log density of a pixel's feature under the model, up to a constant that all models with the same
 * `reach` share.
 */
function logLikelihood({ count, mean, precision, scale, reach }: ColourModel, pixel: Float32Array): number {
  const light = pixel[0] as number
  const blue = pixel[1] as number
  const red = pixel[2] as number
  let best = -1e9
  let sum = 0
  for (let c = 0, at = 0; c < count; c++, at += dimensions) {
    const d0 = light - (mean[at] as number)
    const d1 = blue - (mean[at + 1] as number)
    const d2 = red - (mean[at + 2] as number)
    let miss = d0 * d0 * (precision[at] as number)
    miss += d1 * d1 * (precision[at + 1] as number) + d2 * d2 * (precision[at + 2] as number)
    if (reach > 0) {
      const d3 = (pixel[3] as number) - (mean[at + 3] as number)
      const d4 = (pixel[4] as number) - (mean[at + 4] as number)
      miss += d3 * d3 * (precision[at + 3] as number) + d4 * d4 * (precision[at + 4] as number)
    }
    const log = (scale[c] as number) - 0.5 * miss
    if (log > best) {
      sum = log > best + negligible ? 1 : sum * Math.exp(best - log) + 1
      best = log
    } else if (log > best - negligible) {
      sum += Math.exp(log - best)
    }
  }
  return best + Math.log(sum)
}

/**
 * The log likelihood ratio of two models with the same `reach`, limited to ±`limit`, for every
 * pixel that is `asked` for; 0 elsewhere.
 */
export function likelihoodRatio(
  picture: Picture,
  first: ColourModel,
  second: ColourModel,
  limit: number,
  asked: (index: number) => boolean,
): Plane {
  const { width, height } = picture
  const data = floats(width * height)
  const scratch = new Float32Array(dimensions)
  for (let i = 0; i < data.length; i++) {
    if (!asked(i)) continue
    feature(picture, i, first.reach, scratch, 0)
    const ratio = logLikelihood(first, scratch) - logLikelihood(second, scratch)
    data[i] = Math.min(Math.max(ratio, -limit), limit)
  }
  return { width, height, data }
}

function feature(picture: Picture, index: number, reach: number, out: Float32Array, at: number): void {
  const { width, height, data } = picture
  const red = (data[4 * index] as number) / 255
  const green = (data[4 * index + 1] as number) / 255
  const blue = (data[4 * index + 2] as number) / 255
  const light = luma(red, green, blue)
  const x = index % width
  const longer = Math.max(width, height)
  out[at] = light
  out[at + 1] = (blue - light) * 0.8
  out[at + 2] = (red - light) * 0.8
  out[at + 3] = (reach * x) / longer
  out[at + 4] = (reach * (index - x)) / width / longer
}

/**
 * Seeds far from each other: each next one is the point farthest from those chosen, among a
 * spread-out sample.
 */
function spreadSeeds(points: Float32Array, clusters: number): Float32Array {
  const count = points.length / dimensions
  const mean = new Float32Array(clusters * dimensions)
  const distance = new Float32Array(count).fill(1e9)
  let chosen = Math.floor(count / 2)
  for (let c = 0; c < clusters; c++) {
    mean.set(points.subarray(chosen * dimensions, (chosen + 1) * dimensions), c * dimensions)
    let far = -1
    for (let s = 0; s < count; s++) {
      const away = Math.min(distance[s] as number, squared(points, s * dimensions, mean, c * dimensions))
      distance[s] = away
      if (away > far) {
        far = away
        chosen = s
      }
    }
  }
  return mean
}

/** Gives every point to the nearest cluster, and sums up what each cluster got. */
function assign(
  points: Float32Array,
  mean: Float32Array,
  owner: Int32Array,
  sums: Float64Array,
  sizes: Float64Array,
): void {
  sums.fill(0)
  sizes.fill(0)
  for (let s = 0, at = 0; s < owner.length; s++, at += dimensions) {
    const p0 = points[at] as number
    const p1 = points[at + 1] as number
    const p2 = points[at + 2] as number
    const p3 = points[at + 3] as number
    const p4 = points[at + 4] as number
    let own = 0
    let least = Infinity
    for (let c = 0, j = 0; j < mean.length; c++, j += dimensions) {
      const d0 = p0 - (mean[j] as number)
      const d1 = p1 - (mean[j + 1] as number)
      const d2 = p2 - (mean[j + 2] as number)
      const d3 = p3 - (mean[j + 3] as number)
      const d4 = p4 - (mean[j + 4] as number)
      const away = d0 * d0 + d1 * d1 + d2 * d2 + d3 * d3 + d4 * d4
      if (away < least) {
        least = away
        own = c
      }
    }
    owner[s] = own
    sizes[own] = (sizes[own] as number) + 1
    const sum = own * dimensions
    sums[sum] = (sums[sum] as number) + p0
    sums[sum + 1] = (sums[sum + 1] as number) + p1
    sums[sum + 2] = (sums[sum + 2] as number) + p2
    sums[sum + 3] = (sums[sum + 3] as number) + p3
    sums[sum + 4] = (sums[sum + 4] as number) + p4
  }
}

/** Squared distance of two features. */
function squared(a: Float32Array, i: number, b: Float32Array, j: number): number {
  const d0 = (a[i] as number) - (b[j] as number)
  const d1 = (a[i + 1] as number) - (b[j + 1] as number)
  const d2 = (a[i + 2] as number) - (b[j + 2] as number)
  const d3 = (a[i + 3] as number) - (b[j + 3] as number)
  const d4 = (a[i + 4] as number) - (b[j + 4] as number)
  return d0 * d0 + d1 * d1 + d2 * d2 + d3 * d3 + d4 * d4
}
