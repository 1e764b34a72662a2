import { lowestRowAt, type Similarity, similarityTo } from '#engine/image/geometry.ts'
import type { Picture } from '#engine/image/picture.ts'
import { cropPicture } from '#engine/image/pixels.ts'
import { resamplePart } from '#engine/image/resample.ts'
import type { PassportRule } from '../contract/definition.ts'
import { photoSize } from '../contract/rule.ts'

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
}

/** Shares refer to the photo's height. */
export interface PhotoFrame {
  placement: Similarity
  width: number
  height: number
  head: number
  /** Lower edge to the line of the eyes. */
  eyes: number
  /** Part of the photo below the end of the picture. */
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
    const towards = (from: number, to: number) => from + (to - from) * (step / steps) * 0.96
    best = frameOf(
      portrait,
      rule,
      towards((head.min + head.max) / 2, head.max),
      towards((eyes.min + eyes.max) / 2, eyes.min),
    )
  }
  return best
}

/** Largest share of the photo's height below the picture's end that is stretched. */
const maxMissing = 0.16

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
  // Above the shoulders: the lower end of the picture a quarter from either side.
  const end = Math.min(lowestRowAt(portrait, placement, width / 4), lowestRowAt(portrait, placement, (3 * width) / 4))
  return { placement: placement, width, height, head, eyes, missing: Math.max(0, 1 - end / height) }
}

/**
 * Stretches the rows from `from` to `to` down to the lower edge; pixels below `to` are ignored.
 * Does nothing if `to` is not below.
 */
export function stretchDown(picture: Picture, from: number, to: number): Picture {
  const { width, height } = picture
  const first = Math.round(from)
  if (to <= first) return picture
  const whole = cropPicture(picture, { x: 0, y: 0, width, height: Math.ceil(to) })
  const part = { x: 0, y: first, width, height: to - first }
  const data = picture.data.slice()
  data.set(resamplePart(whole, part, width, height - first).data, 4 * width * first)
  return { width, height, data }
}
