import { lowestRowAt, type Similarity, similarityTo, transform } from '#engine/image/geometry.ts'
import type { Size } from '#engine/image/picture.ts'
import { type PassportRule, photoSize } from '../contract/definition.ts'

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

/**
 * Frames the head upright, centred and of the rule's mean size, eyes at the middle of their range.
 * If the picture ends too soon, the head becomes as large and as low as the rule allows.
 */
export function framePhoto(portrait: PortraitFacts, rule: PassportRule): PhotoFrame {
  const { head, eyes } = rule
  const first = frameOf(portrait, rule, (head.min + head.max) / 2, (eyes.min + eyes.max) / 2)
  if (first.missing <= 0) return first
  // Steps from the middle of the rule's ranges to their ends; as few as needed are taken.
  const steps = 12
  let best = first
  for (let step = 1; step <= steps && best.missing > 0; step++) {
    const towards = (from: number, to: number) => from + (to - from) * (step / steps)
    best = frameOf(
      portrait,
      rule,
      towards((head.min + head.max) / 2, head.max),
      towards((eyes.min + eyes.max) / 2, eyes.min),
    )
  }
  return best
}

/** A missing line of this share of the photo's height, one or two pixels, cannot be seen. */
const maxMissing = 0.004

/** True if the photo would need pixels that the picture does not have. */
export function isUnframeable(portrait: PortraitFacts, rule: PassportRule): boolean {
  return framePhoto(portrait, rule).missing > maxMissing
}

function frameOf(portrait: PortraitFacts, rule: PassportRule, head: number, wantedEyes: number): PhotoFrame {
  const { width, height } = photoSize(rule)
  const { centre, roll, eyesToChin, eyesToCrown } = portrait
  const scale = (head * height) / (eyesToChin + eyesToCrown)
  const above = (eyesToCrown * scale) / height
  const eyes = Math.min(wantedEyes, 1 - minSpaceAbove - above)
  const placement = similarityTo(centre, { x: width / 2, y: (1 - eyes) * height }, -roll, scale)
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
