import type { Box } from '#contract/media.ts'
import type { DetectedObject, EngineHost } from '#engine/host.ts'
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
export async function findObjects(picture: Picture, host: EngineHost): Promise<DetectedObject[]> {
  const { width, height } = fitWithin(picture, detectSide)
  const objects = await host.objects(await host.resize(picture, width, height))
  return objects.map((detected) => ({
    ...detected,
    box: scaleBox(detected.box, picture.width / width, picture.height / height),
  }))
}

/** The thing that is surest, large and near the middle, and others of its kind. */
export function mainObjects(seen: DetectedObject[], { width, height }: Picture): DetectedObject[] {
  const whole = { x: 0, y: 0, width, height }
  const rank = ({ box, confidence }: DetectedObject): number => {
    const offX = (box.x + box.width / 2) / width - 0.5
    const offY = (box.y + box.height / 2) / height - 0.5
    return confidence * Math.sqrt(boxOverlap(box, whole)) * (1 - offX * offX - offY * offY)
  }
  const objects = seen.filter(
    ({ box, confidence }) => confidence > 0.2 && (confidence > 0.3 || boxOverlap(box, whole) < 0.7),
  )
  objects.sort((a, b) => rank(b) - rank(a))
  const [best] = objects
  if (!best || rank(best) <= 0.06) return []
  return objects.filter((detected) => detected.label === best.label && rank(detected) > 0.5 * rank(best))
}
