import { krige } from './kriging.ts'
import { channels, type Level, mirroredPairs, reach } from './level.ts'
import { spanAlongEdges } from './orientation.ts'

/** Kinds of surroundings that are told apart, by colour and texture. */
const kinds = 4
const rounds = 12
/** Share of the surroundings that is too far from all other for a kind to start there. */
const outliers = 0.04
/** Values for every kind: the four of a pixel times its share, and the share. */
const parts = channels + 1
/** Pixels of a level above which holes are thin beside it, and all that is smooth suits them. */
const maxPixels = 20_000
/** Agreement of pixels a patch apart from which on kinds are regions. */
const clear = 0.3
/**
 * Standard deviation of the colours that are possible at a place, in values of 0 to 255, at which
 * what is expected there is half trusted.
 */
const unlike = 40
/** A share below this counts for nothing. */
const leastShare = 0.01
/** How much the borders that run into the hole count beside what lies farther away. */
const bordersShare = 0.75

/** What a hole's pixels may belong to. */
export interface Regions {
  /** The level that they are foretold for. */
  level: Level
  /**
   * For each of its pixels and each kind: red, green, blue and texture times the share, the share.
   */
  shares: Float32Array
  /** From 0, where kinds are strewn by chance as in one texture, to 1, where they are regions. */
  clearness: number
}

/**
 * Which kinds of the surroundings (k-means, Lloyd 1982) go on where in the hole: the share of each
 * is foretold by kriging of its indicator (Journel 1983), which continues layers and what lies
 * farther away, and by letting it go on along the edges that run into the hole, which keeps the
 * borders of regions straight. For the coarsest level; undefined where the hole is thin beside it.
 */
export function predictRegions(level: Level): Regions | undefined {
  const { pixels, hole, targets } = level
  if (hole.length > maxPixels) return undefined
  const inside = targets.filter((i) => hole[i] === 1)
  const centres = findKinds(level)
  const count = parts * kinds
  const shares = new Float32Array(hole.length * count)
  const kind = new Int8Array(hole.length).fill(-1)
  for (let i = 0; i < hole.length; i++) {
    if (hole[i] === 1) continue
    kind[i] = nearest(pixels, i, centres)
    const at = count * i + parts * (kind[i] as number)
    for (let c = 0; c < channels; c++) shares[at + c] = pixels[channels * i + c] as number
    shares[at + channels] = 1
  }
  const far = krige(level, shares, count, inside)
  inside.forEach((i, n) => {
    shares.set(far.subarray(count * n, count * (n + 1)), count * i)
  })
  spanAlongEdges(shares, level, inside, count)
  for (let n = 0; n < inside.length; n++) {
    const at = count * (inside[n] as number)
    for (let c = 0; c < count; c++) {
      const own = far[count * n + c] as number
      shares[at + c] = own + bordersShare * ((shares[at + c] as number) - own)
    }
  }
  for (const [to, from] of mirroredPairs(level)) shares.copyWithin(count * to, count * from, count * (from + 1))
  return { level, shares, clearness: Math.min(1, agreement(kind, level.width) / clear) }
}

/**
 * The pixels of a level that was halved `halvings` times less than that of the regions, with the
 * expected colours in the hole. Kinds count by their share to the power of `certainty`: 1 gives the
 * mean of all that is possible, which shows as a veil of a colour that is nowhere around; more
 * gives that of the most probable one, up to a border as sharp as the level. In one texture it is
 * the mean.
 */
export function regionColours(level: Level, regions: Regions, certainty: number, halvings = 0): Uint8Array {
  const { pixels, width, hole, targets } = level
  const power = 1 + regions.clearness * (certainty - 1)
  const out = pixels.slice()
  const shares = new Float64Array(parts * kinds)
  const sums = new Float64Array(channels)
  for (const i of targets) {
    if (hole[i] === 0) continue
    lookUp(regions, i % width, (i / width) | 0, halvings, shares)
    let most = leastShare
    for (let k = channels; k < shares.length; k += parts) most = Math.max(most, shares[k] as number)
    let total = 0
    sums.fill(0)
    for (let k = 0; k < shares.length; k += parts) {
      const share = shares[k + channels] as number
      if (share < leastShare) continue
      const weight = (share / most) ** power
      total += weight
      for (let c = 0; c < channels; c++) {
        const value = Math.min(255, Math.max(0, (shares[k + c] as number) / share))
        sums[c] = (sums[c] as number) + weight * value
      }
    }
    for (let c = 0; c < channels; c++) out[channels * i + c] = (sums[c] as number) / total + 0.5
  }
  return out
}

/**
 * How far the expected colours can be trusted, 0 to 1, for every pixel of a level that was halved
 * `halvings` times less than that of the regions: the less the more unlike the kinds are that may
 * go on there, by the variance of their colours, for what lies between them is nowhere around.
 */
export function regionTrust(level: Level, regions: Regions, halvings = 0): Float32Array {
  const { width, hole, targets } = level
  const trust = new Float32Array(hole.length).fill(1)
  const shares = new Float64Array(parts * kinds)
  for (const i of targets) {
    if (hole[i] === 0) continue
    lookUp(regions, i % width, (i / width) | 0, halvings, shares)
    let total = 0
    let squares = 0
    const sums = [0, 0, 0] as [number, number, number]
    for (let k = 0; k < shares.length; k += parts) {
      const share = shares[k + channels] as number
      if (share < leastShare) continue
      total += share
      for (let c = 0; c < 3; c++) {
        const value = Math.min(255, Math.max(0, (shares[k + c] as number) / share))
        sums[c] = (sums[c] as number) + share * value
        squares += share * value * value
      }
    }
    const variance = squares / total - sums.reduce((sum, value) => sum + (value / total) ** 2, 0)
    trust[i] = 1 / (1 + (regions.clearness * variance) / unlike ** 2)
  }
  return trust
}

/** The shares at a pixel of a finer level, from the four pixels around (bilinearly). */
function lookUp({ level, shares }: Regions, x: number, y: number, halvings: number, out: Float64Array): void {
  const scale = 2 ** halvings
  const locate = (position: number, count: number): number =>
    Math.min(count - reach - 1.001, Math.max(reach, (position - reach + 0.5) / scale - 0.5 + reach))
  const column = locate(x, level.width)
  const row = locate(y, level.height)
  const [u, v] = [column % 1, row % 1]
  const count = out.length
  const start = count * ((row | 0) * level.width + (column | 0))
  const below = start + count * level.width
  for (let c = 0; c < count; c++) {
    const upper = (1 - u) * (shares[start + c] as number) + u * (shares[start + count + c] as number)
    const lower = (1 - u) * (shares[below + c] as number) + u * (shares[below + count + c] as number)
    out[c] = (1 - v) * upper + v * lower
  }
}

/**
 * How much more often than by chance known pixels a patch apart are of one kind (Cohen's κ 1960).
 */
function agreement(kind: Int8Array, width: number): number {
  const counts = new Float64Array(kinds)
  let [alike, pairs] = [0, 0]
  for (const shift of [2 * reach, 2 * reach * width]) {
    for (let i = 0; i + shift < kind.length; i++) {
      const [own, other] = [kind[i] as number, kind[i + shift] as number]
      if (own < 0 || other < 0) continue
      add(counts, own, 1)
      add(counts, other, 1)
      if (own === other) alike++
      pairs++
    }
  }
  const chance = counts.reduce((sum, count) => sum + (count / (2 * pairs || 1)) ** 2, 0)
  return chance < 1 ? Math.max(0, (alike / (pairs || 1) - chance) / (1 - chance)) : 1
}

/** Means of the kinds of pixels beside the hole, one after the other. */
function findKinds({ pixels, hole, targets }: Level): Float64Array {
  const ring = targets.filter((i) => hole[i] === 0)
  const centres = new Float64Array(kinds * channels)
  for (const i of ring) {
    for (let c = 0; c < channels; c++) add(centres, c, (pixels[channels * i + c] as number) / ring.length)
  }
  for (let k = 1; k < kinds; k++) {
    const away = ring.map((i) =>
      Math.min(...Array.from({ length: k }, (_, kind) => distance(pixels, i, centres, kind))),
    )
    const far = [...ring.keys()].sort((a, b) => (away[b] as number) - (away[a] as number) || a - b)
    const start = channels * (ring[far[Math.floor(outliers * far.length)] as number] as number)
    centres.set(pixels.subarray(start, start + channels), channels * k)
  }
  for (let round = 0; round < rounds; round++) {
    const sums = new Float64Array(kinds * channels)
    const counts = new Uint32Array(kinds)
    for (const i of ring) {
      const kind = nearest(pixels, i, centres)
      counts[kind] = (counts[kind] as number) + 1
      for (let c = 0; c < channels; c++) add(sums, channels * kind + c, pixels[channels * i + c] as number)
    }
    for (let k = 0; k < sums.length; k++) {
      const count = counts[(k / channels) | 0] as number
      if (count > 0) centres[k] = (sums[k] as number) / count
    }
  }
  return centres
}

function add(values: Float64Array, at: number, value: number): void {
  values[at] = (values[at] as number) + value
}

function nearest(pixels: Uint8Array, i: number, centres: Float64Array): number {
  let best = 0
  let least = Number.POSITIVE_INFINITY
  for (let kind = 0; kind < kinds; kind++) {
    const off = distance(pixels, i, centres, kind)
    if (off >= least) continue
    least = off
    best = kind
  }
  return best
}

/** Squared distance of a pixel to the mean of a kind. */
function distance(pixels: Uint8Array, i: number, centres: Float64Array, kind: number): number {
  let sum = 0
  for (let c = 0; c < channels; c++) {
    sum += ((pixels[channels * i + c] as number) - (centres[channels * kind + c] as number)) ** 2
  }
  return sum
}
