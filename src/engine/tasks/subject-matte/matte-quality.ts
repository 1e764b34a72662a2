import { connectedRegions } from '#engine/image/geometry.ts'
import { erode } from '#engine/image/morphology.ts'
import { countedQuantile } from '#engine/image/numbers.ts'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { shareAbove } from '#engine/image/plane.ts'
import { lumaOf } from '#engine/image/tones.ts'

interface Exposure {
  /** Share of the subject's pixels that are overexposed, 0 to 1. */
  burnt: number
  /** 90th percentile of the subject's brightness, 0 to 255. */
  bright: number
  /**
   * 99th percentile of the second difference, 0 to 255; even a soft photograph of a face has 20.
   */
  detail: number
}

export function assessSubject(picture: Picture, matte: Plane): Exposure {
  const { width, height } = picture
  const { data: luma } = lumaOf(picture)
  const counts: Counts = { subject: 0, burnt: 0, levels: new Uint32Array(256), changes: new Uint32Array(256) }
  for (let y = 1; y < height - 1; y++) countRow(luma, matte.data, y * width, width, counts)
  const { subject, burnt, levels, changes } = counts
  if (subject === 0) return { burnt: 0, bright: 255, detail: 255 }
  return { burnt: burnt / subject, bright: countedQuantile(levels, 0.9), detail: countedQuantile(changes, 0.99) }
}

interface Counts {
  subject: number
  burnt: number
  /** Histograms of brightness and of its second difference. */
  levels: Uint32Array
  changes: Uint32Array
}

function countRow(luma: Float32Array, matte: Float32Array, row: number, width: number, counts: Counts): void {
  const { levels, changes } = counts
  for (let i = row + 1; i < row + width - 1; i++) {
    if ((matte[i] as number) < 0.98) continue
    const level = luma[i] as number
    counts.subject++
    // Adding 0.5 and truncating rounds because the level is never negative.
    const rounded = (level + 0.5) | 0
    levels[rounded] = (levels[rounded] as number) + 1
    if (level > 250) counts.burnt++
    const across = Math.abs(2 * level - (luma[i - 1] as number) - (luma[i + 1] as number))
    const down = Math.abs(2 * level - (luma[i - width] as number) - (luma[i + width] as number))
    const change = Math.min(255, (Math.max(across, down) + 0.5) | 0)
    changes[change] = (changes[change] as number) + 1
  }
}

export const maxMatteUncertainty = 0.12

/** Share of the subject's area with partial alpha, 0 (all alpha is 0 or 1) to 1. */
export function matteUncertainty(matte: Plane): number {
  let area = 0
  let open = 0
  for (let i = 0; i < matte.data.length; i++) {
    const alpha = matte.data[i] as number
    area += alpha
    open += 4 * alpha * (1 - alpha)
  }
  return area > 0 ? open / area : 0
}

/** Alpha between these is neither subject nor background. */
const partial = { low: 0.1, high: 0.9 }
/** Probability from which the evidence is sure, and the depth inside it, as a share of the size. */
const sure = { probability: 0.9, depth: 0.02 }
/** Largest share of the sure area that a good matte leaves out. */
const maxMissed = 0.5
/** A matte is this many times smaller or larger than the evidence if it shows another subject. */
const maxAreaRatio = 4
const minShare = 0.0005

type MatteFault = 'empty' | 'vague' | 'holes' | 'other_subject'

/**
 * The rules for a matte from any provider, given rough masks of salience or persons (`evidence`, at
 * the matte's size). Undefined if the matte obeys them.
 */
export function matteFault(matte: Plane, evidence: Plane | undefined): MatteFault | undefined {
  const area = shareAbove(matte, 0.5)
  if (area < minShare) return 'empty'
  if (matteUncertainty(matte) > maxMatteUncertainty) return 'vague'
  if (!evidence) return undefined
  const shown = shareAbove(evidence, 0.5)
  if (area * maxAreaRatio < shown || area > maxAreaRatio * shown) return 'other_subject'
  const { missed, open } = coverage(matte, sureArea(evidence))
  if (missed > maxMissed) return 'other_subject'
  return open > maxMatteUncertainty ? 'holes' : undefined
}

/** Least overlap (intersection by union) with a guess of the engine's that confirms it. */
const minAgreement = 0.7

/** True if a provider's matte is clear and shows the subject that the engine has only guessed. */
export function confirmsGuess(matte: Plane, guess: Plane): boolean {
  if (matteFault(matte, undefined)) return false
  let [both, either] = [0, 0]
  for (let i = 0; i < matte.data.length; i++) {
    const [here, guessed] = [(matte.data[i] as number) > 0.5, (guess.data[i] as number) > 0.5]
    if (here && guessed) both++
    if (here || guessed) either++
  }
  return both >= minAgreement * either
}

/** The inside of the area of which the evidence is sure. */
function sureArea(evidence: Plane): Plane {
  const { width, height, data } = evidence
  const certain = { width, height, data: data.map((value) => Number(value > sure.probability)) }
  return erode(certain, Math.max(1, Math.round(sure.depth * Math.max(width, height))))
}

/** Shares of an area: `missed` is background in the matte, `open` is not certainly opaque. */
function coverage(matte: Plane, area: Plane): { missed: number; open: number } {
  let [count, missed, open] = [0, 0, 0]
  for (let i = 0; i < matte.data.length; i++) {
    if (area.data[i] === 0) continue
    const alpha = matte.data[i] as number
    count++
    if (alpha < partial.low) missed++
    if (alpha < partial.high) open++
  }
  return count === 0 ? { missed: 0, open: 0 } : { missed: missed / count, open: open / count }
}

/** Larger holes may be background between an arm and the body. */
const maxHole = 0.01

/**
 * Makes small holes opaque where `own` is sure of the person, such as white stripes of a blouse on
 * a white wall. In place.
 */
export function fillSmallHoles(matte: Plane, own: Plane): void {
  const { width, height, data } = matte
  const area = sureArea(own)
  const { labels, regions } = connectedRegions(width, height, (i) => (data[i] as number) <= 0.5)
  const whole = own.data.reduce((sum, alpha) => sum + alpha, 0)
  const inside = new Float64Array(regions.length + 1)
  for (let i = 0; i < labels.length; i++) if (area.data[i] === 1) inside[labels[i] as number]!++
  const holes = new Set(
    regions
      .filter((region) => region.area < maxHole * whole && (inside[region.label] as number) > 0.5 * region.area)
      .map(({ label }) => label),
  )
  if (holes.size === 0) return
  for (let i = 0; i < labels.length; i++) {
    if (area.data[i] === 1 && (holes.has(labels[i] as number) || isBesideHole(labels, holes, i, width))) data[i] = 1
  }
}

/** The soft border of a hole is wider than its pixels below one half. */
const border = 2

function isBesideHole(labels: ArrayLike<number>, holes: ReadonlySet<number>, i: number, width: number): boolean {
  for (let y = -border; y <= border; y++) {
    for (let x = -border; x <= border; x++) if (holes.has(labels[i + y * width + x] as number)) return true
  }
  return false
}
