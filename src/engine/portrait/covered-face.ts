import type { Box } from '#contract/media.ts'
import { clipBox, growBox } from '../geometry.ts'
import type { EngineHost, Face, Thing } from '../host.ts'
import type { Picture } from '../picture.ts'
import { cropPicture, fitWithin, mirrorPicture } from '../pixels.ts'
import { meshBox } from './mesh-geometry.ts'

/** Pixels in which hands are looked for. */
const side = 320
/**
 * How much around the face is shown, as a share of its width: near, the same seen in a mirror, for the detector knows one of both sides better, and
 * with the arm that a hand belongs to.
 */
const views = [{ around: 0.6 }, { around: 0.6, mirrored: true }, { around: 1.6 }]
/** Share of the face's box that a hand's box has to cover, and how sure of it the detector has to be. */
const leastCover = 0.08
const leastConfidence = 0.35
/** The detector takes noses and ears for hands: a hand comes in from beyond the face, so no more than this share of its box is inside. */
const mostInside = 0.85

/** Whether a hand seems to lie before a face. The detector of hands misses some, so this is good for a warning only. */
export async function isCoveredByHand(
  picture: Picture,
  { points }: Pick<Face, 'points'>,
  host: Pick<EngineHost, 'hands' | 'resize'>,
): Promise<boolean> {
  const face = meshBox(points)
  for (const { around, mirrored } of views) {
    const box = clipBox(growBox(face, around * face.width), picture)
    if (!box) return false
    const size = fitWithin(box, side)
    const part = await host.resize(cropPicture(picture, box), size.width, size.height)
    const left = mirrored ? box.x + box.width - face.x - face.width : face.x - box.x
    const place = { ...face, x: left, y: face.y - box.y }
    const hands = await host.hands(mirrored ? mirrorPicture(part) : part)
    if (hands.some((hand) => covers(hand, place, size.width / box.width))) return true
  }
  return false
}

/** `scale` brings the face's pixels to those of the hand. */
function covers({ box: hand, confidence }: Thing, face: Box, scale: number): boolean {
  const [left, top] = [hand.x / scale, hand.y / scale]
  const [wide, high] = [hand.width / scale, hand.height / scale]
  const width = Math.min(left + wide, face.x + face.width) - Math.max(left, face.x)
  const height = Math.min(top + high, face.y + face.height) - Math.max(top, face.y)
  const shared = Math.max(0, width) * Math.max(0, height)
  return (
    confidence >= leastConfidence && shared > leastCover * face.width * face.height && shared < mostInside * wide * high
  )
}
