import type { Box } from '#contract/media.ts'
import type { DetectedObject, EngineHost } from '#engine/host.ts'
import { boundsOf, boxOverlap, growBox, scaleBox, unionBox, wholeOf } from '#engine/image/geometry.ts'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { fitWithin } from '#engine/image/pixels.ts'
import { share } from '#engine/image/plane.ts'
import { beliefsOf, findEvidence } from './evidence.ts'
import { borderStrength, contrastLinks, type Links, rimShare, segment, segmentDefaults, tidy } from './segment.ts'
import { overlapsWith } from './support.ts'

/** What to look for: decided from the picture, people, or the most salient thing. */
export type SubjectKind = 'auto' | 'person' | 'object'

/** What is to be kept, roughly: a soft mask, and where hair has to be expected. */
export interface Subject {
  mask: Plane
  hair: Box[]
}

export interface Thing extends Subject {
  /** How certain it is that nothing else was meant, 0 to 1. */
  certainty: number
  /** What each kind of evidence gives by itself; empty where it is certain what is meant. */
  cuts: readonly Plane[]
  /** The reduced picture in which it was looked for. */
  small: Picture
  /** What the detector names, in pixels of that picture, if it is sure enough. */
  named: Box | undefined
}

const cutSide = 256
/** How far around a thing's box its parts are looked for, as a share of the box's longer side. */
const around = 0.06
/**
 * An animal that the detector is so sure of and that fills so much of the picture is surely meant.
 */
const closeUp = { confidence: 0.4, share: 0.6 }
/** Confidence of the detector from which on its box says more than a cut that is a guess. */
const surelyNamed = 0.45
/** A rectangle, filled so far, that is so much of the picture is no thing in it. */
const framed = { filled: 0.98, share: 0.6 }
/** As the detector names them. */
export const animals = ['bird', 'cat', 'dog', 'horse', 'sheep', 'cow', 'elephant', 'bear', 'zebra', 'giraffe']

/**
 * The most salient thing, or the one in the box. What stands out, what is sharp, what the person
 * model knows, all of it, and all of it around what the detector names are each cut along colours
 * and edges, and the cut wins that agrees best with the others and follows real edges;
 * undefined when nothing stands out.
 */
export async function findObject(
  picture: Picture,
  box: Box | undefined,
  objects: () => Promise<DetectedObject[]>,
  host: EngineHost,
): Promise<Thing | undefined> {
  const size = fitWithin(picture, cutSide)
  const small = await host.resize(picture, size.width, size.height)
  const reduced = (it: Box): Box => scaleBox(it, size.width / picture.width, size.height / picture.height)
  const main = box ? [] : mainObjects(await objects(), picture)
  const boxes = main.map((it) => reduced(it.box))
  const frames = box ? [reduced(box)] : boxes.map((it) => growBox(it, around * Math.max(it.width, it.height)))
  const beliefs = beliefsOf(await findEvidence(picture, small, host), frames, Boolean(box))
  const links = contrastLinks(small, segmentDefaults.smooth)
  const edges = contrastLinks(small, 1)
  const made = beliefs.map((belief) => cutObject(small, belief, links))
  const cuts = made.filter((cut) => share(cut, 0.5) > 0.002 && share(cut, 0.5) < 0.985 && !isFramed(cut))
  const named = (main[0]?.confidence ?? 0) > surelyNamed ? boxes.reduce(unionBox) : undefined
  // Its border is short and often blurred: all evidence, the person model's too, knows better.
  const all = isCloseUp(main[0], picture) && made[3]
  if (all && share(all, 0.5) > closeUp.share / 2) return { mask: all, hair: [], certainty: 1, cuts: [], small, named }
  const things = cuts.map((mask) => {
    const overlaps = overlapsWith(mask, cuts)
    const agreement = overlaps.reduce((sum, value) => sum + value, 0) / Math.max(1, overlaps.length)
    return { mask, hair: [], certainty: agreement * Math.sqrt(worth(mask, edges)), cuts, small, named }
  })
  return things.sort((a, b) => b.certainty - a.certainty)[0]
}

/** Whether a cut is all that a frame leaves of the picture. */
function isFramed(cut: Plane): boolean {
  const box = boundsOf(cut, 0.5)
  const filled = share(cut, 0.5)
  return box !== undefined && filled > framed.share && filled > framed.filled * boxOverlap(wholeOf(cut), box)
}

const isCloseUp = (main: DetectedObject | undefined, picture: Picture): boolean =>
  main !== undefined &&
  animals.includes(main.label) &&
  main.confidence > closeUp.confidence &&
  boxOverlap(main.box, wholeOf(picture)) > closeUp.share

/**
 * How good a cut is by itself: its border follows real edges, it does not cover the picture's rim;
 * of equals the larger is the more complete.
 */
const worth = (cut: Plane, edges: Links): number =>
  borderStrength(cut, edges) * share(cut, 0.5) ** 0.12 * Math.sqrt(1 - rimShare(cut))

/** Colours and edges decide. */
const cutObject = (small: Picture, belief: Plane, links: Links): Plane =>
  tidy(segment(small, belief, { ...segmentDefaults, belief: 0.8, sure: 0.8 }, links), 0.02, 0.1)

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
export function mainObjects(seen: DetectedObject[], picture: Picture): DetectedObject[] {
  const whole = wholeOf(picture)
  const { width, height } = picture
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
