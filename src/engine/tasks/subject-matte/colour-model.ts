import { clusterColours } from '#engine/image/clusters.ts'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { luma } from '#engine/image/tones.ts'

/** Luma and two colour differences. */
const dimensions = 3
/** A cluster whose log likelihood is this much below the best one is ignored. */
const negligible = 6
const leastVariance = 0.01 ** 2

/** Gaussian mixture with diagonal covariances: three means and inverse variances a cluster. */
interface ColourModel {
  count: number
  mean: Float32Array
  precision: Float32Array
  /** Log of weight and normalisation for each cluster. */
  scale: Float32Array
}

/** Fits clusters to at most `samples` of the `chosen` pixels; undefined for fewer than 20. */
export function fitColours(
  picture: Picture,
  chosen: (index: number) => boolean,
  count: number,
  samples = 4000,
): ColourModel | undefined {
  const indices = new Int32Array(picture.width * picture.height)
  let found = 0
  for (let i = 0; i < indices.length; i++) if (chosen(i)) indices[found++] = i
  if (found < 20) return undefined
  const clusters = Math.min(count, Math.floor(found / 10))
  const taken = Math.min(samples, found)
  const points = new Float32Array(taken * dimensions)
  for (let s = 0; s < taken; s++) {
    feature(picture, indices[Math.floor(((s + 0.5) * found) / taken)] as number, points, s * dimensions)
  }
  const { mean, owner } = clusterColours(points, clusters)
  return modelOf(points, owner, mean, clusters)
}

function modelOf(points: Float32Array, owner: Int32Array, mean: Float32Array, clusters: number): ColourModel {
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
    for (let k = c * dimensions; k < (c + 1) * dimensions; k++) {
      const variance = (spread[k] as number) / Math.max(size, 1) + leastVariance
      precision[k] = 1 / variance
      log -= 0.5 * Math.log(variance)
    }
    scale[c] = log
  }
  return { count: clusters, mean, precision, scale }
}

/** Log density of a pixel's feature under the model, up to a constant shared by all models. */
function logLikelihood({ count, mean, precision, scale }: ColourModel, pixel: Float32Array): number {
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

/** Log likelihood ratio of two models, limited to ±`limit`; 0 where `asked` is false. */
export function likelihoodRatio(
  picture: Picture,
  first: ColourModel,
  second: ColourModel,
  limit: number,
  asked: (index: number) => boolean,
): Plane {
  const { width, height } = picture
  const data = new Float32Array(width * height)
  const scratch = new Float32Array(dimensions)
  for (let i = 0; i < data.length; i++) {
    if (!asked(i)) continue
    feature(picture, i, scratch, 0)
    const ratio = logLikelihood(first, scratch) - logLikelihood(second, scratch)
    data[i] = Math.min(Math.max(ratio, -limit), limit)
  }
  return { width, height, data }
}

function feature({ data }: Picture, index: number, out: Float32Array, at: number): void {
  const red = (data[4 * index] as number) / 255
  const blue = (data[4 * index + 2] as number) / 255
  const light = luma(red, (data[4 * index + 1] as number) / 255, blue)
  out[at] = light
  out[at + 1] = (blue - light) * 0.8
  out[at + 2] = (red - light) * 0.8
}
