import { clusterColours } from '#engine/image/colour-clusters.ts'
import { connectedRegions, type Region } from '#engine/image/geometry.ts'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { resizeSmooth } from '#engine/image/plane.ts'
import { luma } from '#engine/image/tones.ts'
import { minimumCut } from './graph-cut.ts'

interface SegmentOptions {
  /** Weights of the probability's log odds and of the colour models' log likelihood ratio. */
  belief: number
  colour: number
  /** Limit of the colours' ratio, so that colour alone cannot outweigh everything. */
  limit: number
  /** Cost of a border where colours do not change. */
  smooth: number
  clusters: number
  /** Probability of pixels that teach the subject's colours; 1 − sure for the background. */
  sure: number
}

export const segmentDefaults: SegmentOptions = {
  belief: 0.5,
  colour: 0.6,
  limit: 6,
  smooth: 16,
  clusters: 8,
  sure: 0.95,
}

/**
 * Labels every pixel 0 or 1: one minimum cut balances a subject probability of the same size,
 * colour models learnt from its sure pixels, and border length (after Rother, Kolmogorov and Blake
 * 2004). Pass `links` when the same picture is cut several times.
 */
export function segment(
  picture: Picture,
  probability: Plane,
  options: SegmentOptions = segmentDefaults,
  links: Links = contrastLinks(picture, options.smooth),
): Plane {
  const { width, height } = picture
  const { data } = probability
  const preference = new Float32Array(width * height)
  for (let i = 0; i < preference.length; i++) {
    const p = Math.min(Math.max(data[i] as number, 0.004), 0.996)
    preference[i] = options.belief * Math.log(p / (1 - p))
  }
  if (options.colour > 0) addColours(picture, data, options, preference)
  return { width, height, data: Float32Array.from(minimumCut(width, height, preference, links)) }
}

function addColours(picture: Picture, data: Float32Array, options: SegmentOptions, preference: Float32Array): void {
  const { colour, limit, clusters, sure } = options
  const subject = fitColours(picture, (i) => (data[i] as number) > sure, clusters)
  const ground = fitColours(picture, (i) => (data[i] as number) < 1 - sure, clusters)
  if (!subject || !ground) return
  // Skips pixels whose preference is stronger than any colour term.
  const open = (i: number) => Math.abs(preference[i] as number) < colour * limit
  const ratio = likelihoodRatio(picture, subject, ground, limit, open)
  for (let i = 0; i < preference.length; i++) {
    preference[i] = (preference[i] as number) + colour * (ratio.data[i] as number)
  }
}

/** One plane for each direction: right, down, down-right, down-left. */
export type Links = readonly [Float32Array, Float32Array, Float32Array, Float32Array]

/** Costs of separating neighbours: high where colours agree, low across edges. */
export function contrastLinks(picture: Picture, smooth: number): Links {
  const { width, height } = picture
  const links: Links = [
    new Float32Array(width * height),
    new Float32Array(width * height),
    new Float32Array(width * height),
    new Float32Array(width * height),
  ]
  const total =
    colourDifferences(picture, 1, 0, links[0]) +
    colourDifferences(picture, 0, 1, links[1]) +
    colourDifferences(picture, 1, 1, links[2]) +
    colourDifferences(picture, -1, 1, links[3])
  const pairs = 4 * width * height - 3 * width - 3 * height + 2
  const beta = pairs > 0 && total > 0 ? pairs / (2 * total) : 0
  for (const [d, link] of links.entries()) costsOf(link, beta, d < 2 ? smooth : smooth / Math.SQRT2)
  return links
}

/** Squared colour differences to the neighbour at an offset; returns their sum. */
function colourDifferences(picture: Picture, across: number, down: number, out: Float32Array): number {
  const { width, height, data } = picture
  const away = 4 * (down * width + across)
  let total = 0
  for (let y = 0; y < height - down; y++) {
    const end = y * width + width - Math.max(0, across)
    for (let i = y * width + Math.max(0, -across); i < end; i++) {
      const at = 4 * i
      const red = (data[at] as number) - (data[at + away] as number)
      const green = (data[at + 1] as number) - (data[at + away + 1] as number)
      const blue = (data[at + 2] as number) - (data[at + away + 2] as number)
      const difference = red * red + green * green + blue * blue
      out[i] = difference
      total += difference
    }
  }
  return total
}

function costsOf(differences: Float32Array, beta: number, weight: number): void {
  for (let i = 0; i < differences.length; i++) {
    differences[i] = weight * Math.exp(-beta * (differences[i] as number))
  }
}

/** Fills holes and drops islands below the given shares of the subject's area, in place. */
export function fillHolesAndDropIslands(labels: Plane, hole: number, island: number): Plane {
  const { width, height, data } = labels
  const subject = connectedRegions(width, height, (i) => (data[i] as number) > 0.5)
  const area = subject.regions.reduce((sum, region) => sum + region.area, 0)
  relabel(data, subject, (region) => region.area < island * area, 0)
  const ground = connectedRegions(width, height, (i) => (data[i] as number) <= 0.5)
  relabel(data, ground, (region) => !region.touchesBorder && region.area < hole * area, 1)
  return labels
}

/** Share of the probability in the values of blended labels. */
export const blendedProbability = 0.2

/** Labels with a share of the probability, at its size, which must not be smaller. */
export function blendLabels(labels: Plane, { width, height, data }: Plane): Plane {
  const decided = resizeSmooth(labels, width, height)
  const blend = (value: number, i: number) =>
    blendedProbability * value + (1 - blendedProbability) * (decided.data[i] as number)
  return { width, height, data: data.map(blend) }
}

function relabel(
  data: Float32Array,
  { labels, regions }: { labels: Int32Array; regions: readonly Region[] },
  meant: (region: Region) => boolean,
  value: 0 | 1,
): void {
  const chosen = Uint8Array.from([0, ...regions.map((region) => (meant(region) ? 1 : 0))])
  if (!chosen.includes(1)) return
  for (let i = 0; i < data.length; i++) if (chosen[labels[i] as number] === 1) data[i] = value
}

/** Mean edge strength on the border, 0 to 1; `links` are {@link contrastLinks} of smoothness 1. */
export function borderStrength(labels: Plane, links: readonly Float32Array[]): number {
  const { width, height, data } = labels
  let strength = 0
  let count = 0
  for (let y = 0; y < height - 1; y++) {
    for (let x = 0; x < width - 1; x++) {
      const i = y * width + x
      for (let d = 0; d < 2; d++) {
        const other = d === 0 ? i + 1 : i + width
        if (data[i] === data[other]) continue
        strength += 1 - ((links[d] as Float32Array)[i] as number)
        count++
      }
    }
  }
  return count > 0 ? strength / count : 0
}

/** Share of the picture's border inside a cut, 0 to 1; `lower` weighs the lower border. */
export function rimShare({ width, height, data }: Plane, lower: number): number {
  let covered = 0
  for (let x = 0; x < width; x++) covered += (data[x] as number) + lower * (data[(height - 1) * width + x] as number)
  for (let y = 0; y < height; y++) covered += (data[y * width] as number) + (data[(y + 1) * width - 1] as number)
  return covered / (2 * (width + height))
}

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
function fitColours(
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
function likelihoodRatio(
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
