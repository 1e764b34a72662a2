import type { Box } from '#contract/media.ts'
import type { EngineHost, Thing } from '#engine/host.ts'
import { boxOverlap, scaleBox } from '#engine/image/geometry.ts'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { fitWithin } from '#engine/image/pixels.ts'

/** What to look for: decided from the picture, people, or the most salient thing. */
export type SubjectKind = 'auto' | 'person' | 'object'

/** What is to be kept, roughly: a soft mask, and where hair has to be expected. */
export interface Subject {
  mask: Plane
  hair: Box[]
}

const detectSide = 512

/** Everyday things in pixels of the picture. */
export async function findThings(picture: Picture, host: EngineHost): Promise<Thing[]> {
  const { width, height } = fitWithin(picture, detectSide)
  const things = await host.things(await host.resize(picture, width, height))
  return things.map((thing) => ({ ...thing, box: scaleBox(thing.box, picture.width / width, picture.height / height) }))
}

/** The thing that is surest, large and near the middle, and others of its kind. */
export function mainThings(seen: Thing[], { width, height }: Picture): Thing[] {
  const whole = { x: 0, y: 0, width, height }
  const rank = ({ box, confidence }: Thing): number => {
    const offX = (box.x + box.width / 2) / width - 0.5
    const offY = (box.y + box.height / 2) / height - 0.5
    return confidence * Math.sqrt(boxOverlap(box, whole)) * (1 - offX * offX - offY * offY)
  }
  const things = seen.filter(
    ({ box, confidence }) => confidence > 0.2 && (confidence > 0.3 || boxOverlap(box, whole) < 0.7),
  )
  things.sort((a, b) => rank(b) - rank(a))
  const [best] = things
  if (!best || rank(best) <= 0.06) return []
  return things.filter((thing) => thing.label === best.label && rank(thing) > 0.5 * rank(best))
}
