import type { Box } from '#contract/media.ts'
import type { DetectedObject, EngineHost, Face } from '#engine/host.ts'
import { clipBox, growBox } from '#engine/image/geometry.ts'
import { countedQuantile } from '#engine/image/numbers.ts'
import type { Picture } from '#engine/image/picture.ts'
import { cropPicture, fitWithin, mirrorPicture } from '#engine/image/pixels.ts'
import { meshBox } from './mesh-geometry.ts'

/** Pixels in which hands are looked for. */
const side = 320
/**
 * What is shown of a face: its surroundings near, the same seen in a mirror, for the detector knows
 * one of both sides better, and with the arm that a hand belongs to; then cheeks and chin from both
 * sides, in bright light, where a hand that the head rests on is of the face's own colour.
 */
const views: readonly { boxOf: (face: Box) => Box; mirrored?: boolean; bright?: boolean }[] = [
  { boxOf: (face) => growBox(face, 0.6 * face.width) },
  { boxOf: (face) => growBox(face, 0.6 * face.width), mirrored: true },
  { boxOf: (face) => growBox(face, 1.6 * face.width) },
  { boxOf: aroundChin, bright: true },
  { boxOf: aroundChin, mirrored: true, bright: true },
]

/**
 * A square around the chin, as a share of the face's width, and how far down the face its middle
 * is.
 */
const chin = { side: 2.2, down: 0.9 } as const

function aroundChin({ x, y, width, height }: Box): Box {
  const side = chin.side * width
  return { x: x + (width - side) / 2, y: y + chin.down * height - side / 2, width: side, height: side }
}

/**
 * Share of the face's box that a hand's box has to cover, and how sure of it the detector has to
 * be.
 */
const leastCover = 0.08
const leastConfidence = 0.35
/**
 * The detector takes noses and ears for hands: a hand comes in from beyond the face, so no more
 * than this share of its box is inside.
 */
const mostInside = 0.85

/**
 * Whether a hand seems to lie before a face. The detector of hands misses some, so this is good for
 * a warning only.
 */
export async function isCoveredByHand(
  picture: Picture,
  { points }: Pick<Face, 'points'>,
  host: Pick<EngineHost, 'hands' | 'resize'>,
): Promise<boolean> {
  const face = meshBox(points)
  for (const { boxOf, mirrored, bright } of views) {
    const box = clipBox(boxOf(face), picture)
    if (!box) return false
    const size = fitWithin(box, side)
    const part = await host.resize(cropPicture(picture, box), size.width, size.height)
    const left = mirrored ? box.x + box.width - face.x - face.width : face.x - box.x
    const place = { ...face, x: left, y: face.y - box.y }
    if (bright) brighten(part)
    const hands = await host.hands(mirrored ? mirrorPicture(part) : part)
    if (hands.some((hand) => covers(hand, place, size.width / box.width))) return true
  }
  return false
}

/**
 * The light of a bright picture, which a fiftieth of its pixels reach, and how much brighter a dark
 * one may become.
 */
const light = { full: 230, most: 3 } as const

/** Lights a dark picture, in place. */
function brighten({ data }: Picture): void {
  const counts = new Uint32Array(256)
  for (let i = 1; i < data.length; i += 4) counts[data[i] as number] = (counts[data[i] as number] as number) + 1
  const level = Math.max(1, countedQuantile(counts, 0.98))
  const gain = Math.min(light.most, Math.max(1, light.full / level))
  for (let i = 0; i < data.length; i++) if (i % 4 !== 3) data[i] = (data[i] as number) * gain
}

/** `scale` brings the face's pixels to those of the hand. */
function covers({ box: hand, confidence }: DetectedObject, face: Box, scale: number): boolean {
  const [left, top] = [hand.x / scale, hand.y / scale]
  const [wide, high] = [hand.width / scale, hand.height / scale]
  const width = Math.min(left + wide, face.x + face.width) - Math.max(left, face.x)
  const height = Math.min(top + high, face.y + face.height) - Math.max(top, face.y)
  const shared = Math.max(0, width) * Math.max(0, height)
  return (
    confidence >= leastConfidence && shared > leastCover * face.width * face.height && shared < mostInside * wide * high
  )
}
