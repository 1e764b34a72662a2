import { floats } from '#engine/image/arena.ts'
import type { Picture, Plane } from '#engine/image/picture.ts'

const rays = 5
/** Neighbouring pixels look in different directions, in so many ways. */
const turns = 16
/**
 * Colour difference, 0 to 1, of subject and background at which a pair of samples says half of what
 * it could.
 */
const separation = 0.12
/** Deviation of a pixel from the mixture of two samples, 0 to 1, at which the pair says little. */
const deviation = 0.035

/** Steps along a ray grow with the distance: what is far away needs no exact place. */
const stride = (away: number): number => 1 + (away >> 3)

export interface Sampled {
  /** Alpha that the best pair of colours explains; meaningful where the pixel is unknown. */
  alpha: Float32Array
  /**
   * How far that alpha is to be believed, 0 to 1; 0 where no pair explains the pixel, or both
   * colours are alike.
   */
  confidence: Float32Array
}

/**
 * Alpha of the unknown pixels from known colours nearby: along several rays the first subject and
 * the first background colour are taken, and the pair counts that mixes best to the pixel's own
 * colour from not too far away (after Gastal and Oliveira 2010). `known` holds 0 or 1 where
 * `unknown` is 0; rays begin `gap` pixels away, which need not be looked at, and end after `reach`.
 */
export function sampleColours(
  picture: Picture,
  known: Plane,
  unknown: Uint8Array,
  gap: Float32Array,
  reach: number,
): Sampled {
  const { width, height, data } = picture
  const alpha = floats(width * height)
  const confidence = floats(width * height)
  const offsets = rayOffsets(reach)
  const found: Found = { front: noSamples(), back: noSamples() }
  for (let i = 0; i < unknown.length; i++) {
    if (unknown[i] === 0) continue
    castRays(known, unknown, i, Math.max(1, Math.floor(gap[i] as number)), reach, offsets, found)
    if (found.front.count > 0 && found.back.count > 0) choosePair(data, i, found, alpha, confidence)
  }
  return { alpha, confidence }
}

/**
 * The first colours of one side that rays from a pixel met: where each lies in the picture's data,
 * and how far away it is.
 */
interface Samples {
  count: number
  at: Int32Array
  away: Float32Array
}

interface Found {
  front: Samples
  back: Samples
}

const noSamples = (): Samples => ({ count: 0, at: new Int32Array(rays), away: new Float32Array(rays) })

function castRays(
  known: Plane,
  unknown: Uint8Array,
  pixel: number,
  first: number,
  reach: number,
  { across, down }: RayOffsets,
  { front, back }: Found,
): void {
  const { width, height, data } = known
  const x = pixel % width
  const y = (pixel - x) / width
  front.count = 0
  back.count = 0
  const turn = ((x * 7 + y * 13) % turns) * rays
  for (let ray = 0; ray < rays; ray++) {
    const offset = (turn + ray) * (reach + 1)
    let sawFront = false
    let sawBack = false
    for (let step = first; step <= reach; step += stride(step)) {
      const u = x + (across[offset + step] as number)
      const v = y + (down[offset + step] as number)
      if (u < 0 || v < 0 || u >= width || v >= height) break
      const at = v * width + u
      if (unknown[at] === 1) continue
      if ((data[at] as number) > 0.5) {
        if (!sawFront) {
          addSample(front, at, step)
          if (sawBack) break
        }
        sawFront = true
      } else {
        if (!sawBack) {
          addSample(back, at, step)
          if (sawFront) break
        }
        sawBack = true
      }
    }
  }
}

function addSample(samples: Samples, at: number, away: number): void {
  samples.away[samples.count] = away
  samples.at[samples.count++] = 4 * at
}

/** Takes the pair of colours that mixes best to a pixel's own. */
function choosePair(
  data: Uint8ClampedArray,
  pixel: number,
  { front, back }: Found,
  alpha: Float32Array,
  confidence: Float32Array,
): void {
  const r = data[4 * pixel] as number
  const g = data[4 * pixel + 1] as number
  const b = data[4 * pixel + 2] as number
  let least = Infinity
  let best = 0
  let apart = 0
  let wrong = 0
  for (let f = 0; f < front.count; f++) {
    const at = front.at[f] as number
    const fr = data[at] as number
    const fg = data[at + 1] as number
    const fb = data[at + 2] as number
    for (let k = 0; k < back.count; k++) {
      const other = back.at[k] as number
      const br = data[other] as number
      const bg = data[other + 1] as number
      const bb = data[other + 2] as number
      const dr = fr - br
      const dg = fg - bg
      const db = fb - bb
      const length = dr * dr + dg * dg + db * db + 1
      const share = Math.min(Math.max(((r - br) * dr + (g - bg) * dg + (b - bb) * db) / length, 0), 1)
      const er = r - br - share * dr
      const eg = g - bg - share * dg
      const eb = b - bb - share * db
      const miss = er * er + eg * eg + eb * eb
      const cost = miss + 0.6 * ((front.away[f] as number) + (back.away[k] as number))
      if (cost >= least) continue
      least = cost
      best = share
      apart = length / (255 * 255)
      wrong = miss / (255 * 255)
    }
  }
  alpha[pixel] = best
  confidence[pixel] = (apart / (apart + separation ** 2)) * Math.exp(-wrong / (2 * deviation ** 2))
}

interface RayOffsets {
  across: Int16Array
  down: Int16Array
}

/** Whole-pixel offsets of every step of every ray, `reach` + 1 a ray. */
function rayOffsets(reach: number): RayOffsets {
  const across = new Int16Array(turns * rays * (reach + 1))
  const down = new Int16Array(across.length)
  for (let turn = 0, k = 0; turn < turns; turn++) {
    for (let ray = 0; ray < rays; ray++) {
      const angle = (2 * Math.PI * (ray + turn / turns)) / rays
      for (let step = 0; step <= reach; step++, k++) {
        across[k] = Math.round(step * Math.cos(angle))
        down[k] = Math.round(step * Math.sin(angle))
      }
    }
  }
  return { across, down }
}
