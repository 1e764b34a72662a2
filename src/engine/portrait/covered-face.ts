import { clipBox, growBox } from '../geometry.ts'
import type { EngineHost, Face } from '../host.ts'
import type { Picture } from '../picture.ts'
import { cropPicture, fitWithin } from '../pixels.ts'
import { meshBox } from './mesh-geometry.ts'

/** Pixels in which hands are looked for, and how much around the face, as a share of its width. */
const side = 320
const around = 0.6
/** Share of the face's box that a hand's box has to cover. */
const leastCover = 0.125

/** Whether a hand seems to lie before a face. The detector of hands misses some, so this is good for a warning only. */
export async function isCoveredByHand(picture: Picture, { points }: Face, host: EngineHost): Promise<boolean> {
  const face = meshBox(points)
  const box = clipBox(growBox(face, around * face.width), picture)
  if (!box) return false
  const size = fitWithin(box, side)
  const scale = size.width / box.width
  const hands = await host.hands(await host.resize(cropPicture(picture, box), size.width, size.height))
  return hands.some(({ box: hand }) => {
    const [left, top] = [box.x + hand.x / scale, box.y + hand.y / scale]
    const width = Math.min(left + hand.width / scale, face.x + face.width) - Math.max(left, face.x)
    const height = Math.min(top + hand.height / scale, face.y + face.height) - Math.max(top, face.y)
    return Math.max(0, width) * Math.max(0, height) > leastCover * face.width * face.height
  })
}
