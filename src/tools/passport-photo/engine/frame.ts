import { lowestRowAt, type Similarity, similarityTo, transform } from '#engine/image/geometry.ts'
import type { Size } from '#engine/image/picture.ts'
import { type PassportRule, photoSize } from '../contract/definition.ts'
import { passportPresets, usualFraming } from '../contract/presets.ts'

/** Enough to frame the photo by any rule. Stored with the result as JSON. */
export type PortraitFacts = {
  /** Size of the picture in which everything else is measured. */
  width: number
  height: number
  /** The middle of the face at the height of the eyes. */
  centre: { x: number; y: number }
  /** Angle of the line of the eyes in radians. */
  roll: number
  eyesToChin: number
  eyesToCrown: number
  /**
   * Points (alternating x and y) at which the picture's end cuts the body. Results of earlier
   * versions lack them, and the rows of the whole picture count.
   */
  cuts?: number[]
}

/** Shares refer to the photo's height. */
export interface PhotoFrame {
  placement: Similarity
  width: number
  height: number
  head: number
  /** Lower edge to the line of the eyes. */
  eyes: number
  /** Depth of the picture's end inside the photo. */
  missing: number
}

const minSpaceAbove = 0.04

/** Head and eyes of the tightest photo that passes where no office demands more space. */
const tightest = { head: 0.72, eyes: 0.5 } as const
/** Offsets from the photo's middle in shares of its width, of which ISO 19794-5 allows 0.05. */
const asides = [0.01, -0.01, 0.02, -0.02, 0.03, -0.03, 0.04, -0.04, 0.05, -0.05] as const

/**
 * Frames the head upright, centred and of the rule's mean size, eyes at the middle of their range.
 * If the picture ends too soon, the head becomes as large and as low as the rule allows; the usual
 * framing, which no rule demands, up to `tightest`. In the end the head moves aside.
 */
export function framePhoto(portrait: PortraitFacts, rule: PassportRule): PhotoFrame {
  const { head, eyes } = rule
  const isUsual = head.min === usualFraming.head.min && head.max === usualFraming.head.max
  const last = isUsual ? tightest : { head: head.max, eyes: eyes.min }
  // Steps from the middle of the rule's ranges; as few as needed are taken.
  const steps = isUsual ? 24 : 12
  const frameAt = (step: number, aside = 0) => {
    const towards = (from: number, to: number) => from + (to - from) * (step / steps)
    const [size, line] = [towards((head.min + head.max) / 2, last.head), towards((eyes.min + eyes.max) / 2, last.eyes)]
    return frameOf(portrait, rule, size, line, aside)
  }
  let best = frameAt(0)
  for (let step = 1; step <= steps && best.missing > 0; step++) best = frameAt(step)
  for (const aside of best.missing > 0 ? asides : []) {
    const moved = frameAt(steps, aside)
    if (moved.missing <= 0) return moved
    if (moved.missing < best.missing) best = moved
  }
  return best
}

/** A missing line of this share of the photo's height, one or two pixels, cannot be seen. */
const maxMissing = 0.004

/** True if the photo would need pixels that the picture does not have. */
export function isUnframeable(portrait: PortraitFacts, rule: PassportRule): boolean {
  return framePhoto(portrait, rule).missing > maxMissing
}

/** The refusal of a photo in this size; undefined if it can be framed. */
export function framingProblem(portrait: PortraitFacts, rule: PassportRule) {
  if (!isUnframeable(portrait, rule)) return undefined
  const fits = passportPresets.some((preset) => !isUnframeable(portrait, preset.rule))
  return fits ? 'engine.shoulders_missing' : 'engine.portrait_cut'
}

function frameOf(
  portrait: PortraitFacts,
  rule: PassportRule,
  head: number,
  wantedEyes: number,
  aside: number,
): PhotoFrame {
  const { width, height } = photoSize(rule)
  const { centre, roll, eyesToChin, eyesToCrown } = portrait
  const scale = (head * height) / (eyesToChin + eyesToCrown)
  const above = (eyesToCrown * scale) / height
  const eyes = Math.min(wantedEyes, 1 - minSpaceAbove - above)
  const placement = similarityTo(centre, { x: (0.5 + aside) * width, y: (1 - eyes) * height }, -roll, scale)
  const missing = portrait.cuts
    ? cutDepth(portrait.cuts, placement, { width, height }) / height
    : Math.max(0, 1 - endBesideShoulders(portrait, placement, width) / height)
  return { placement: placement, width, height, head, eyes, missing }
}

/** Largest distance in pixels of a cut to the photo's nearest edge, except the upper one. */
function cutDepth(cuts: readonly number[], placement: Similarity, { width, height }: Size): number {
  let deepest = 0
  for (let i = 0; i < cuts.length; i += 2) {
    const { x, y } = transform(placement, { x: cuts[i] as number, y: cuts[i + 1] as number })
    if (y > 0) deepest = Math.max(deepest, Math.min(x, width - x, height - y))
  }
  return deepest
}

/** The lower end of the picture above the shoulders, a quarter from either side. */
function endBesideShoulders(picture: Size, placement: Similarity, width: number): number {
  return Math.min(lowestRowAt(picture, placement, width / 4), lowestRowAt(picture, placement, (3 * width) / 4))
}
