import type { Box } from '#contract/media.ts'
import type { DetectedObject, EngineHost } from '#engine/host.ts'
import { boundsOf, boxOverlap, scaleBox, unionBox, wholeOf } from '#engine/image/geometry.ts'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { fitArea, fitWithin, planeOf } from '#engine/image/pixels.ts'
import { resizePlane, share } from '#engine/image/plane.ts'
import { hesitation } from './assess.ts'
import { segment, segmentDefaults, softened, tidy } from './segment.ts'

/** What to look for: decided from the picture, people, or the most salient thing. */
export type SubjectKind = 'auto' | 'person' | 'object'

/** What is to be kept, roughly: a soft mask, and where hair has to be expected. */
export interface Subject {
  mask: Plane
  hair: Box[]
}

export interface FoundSubject extends Subject {
  /**
   * Around what is most likely meant, as shares of the picture's width and height, where it is not
   * sure that this is meant; never with a box.
   */
  guess: Box | undefined
}

/** As the detector names them. */
export const animals = ['bird', 'cat', 'dog', 'horse', 'sheep', 'cow', 'elephant', 'bear', 'zebra', 'giraffe']

/** Side of the square in which the network looks. */
const salienceSide = 320
const cutArea = salienceSide * salienceSide
/** The network knows things; edges and colours settle what it leaves open. */
const thingCut = { ...segmentDefaults, belief: 0.9, colour: 0.3, smooth: 5 }
/** How much likelier what lies in a given box is meant, in log odds. */
const boxed = 1
/** A smaller share of the picture is nothing. */
const leastShare = 0.0005
/** What fills its box so far, and so much of the picture, is what a frame leaves of it. */
const framed = { filled: 0.98, share: 0.6 }
/**
 * From such a {@link hesitation} of the network on a cut is a guess. From 110 photographs of things
 * that judge nothing.
 */
const hesitant = 0.6
/**
 * Confidence of the detector from which on its box says more than a cut that is a guess, or that
 * covers no more of the box than this.
 */
const surelyNamed = { confidence: 0.45, covered: 0.2 }

/**
 * The most salient thing, or the one in the box; undefined when nothing stands out. It is a guess
 * where the network hesitates, where it is all that a frame leaves, or where the detector is sure
 * to name something else.
 */
export async function findObject(
  picture: Picture,
  box: Box | undefined,
  objects: () => Promise<DetectedObject[]>,
  host: EngineHost,
): Promise<FoundSubject | undefined> {
  const size = fitArea(picture, cutArea)
  const [square, small] = await Promise.all([
    host.resize(picture, salienceSide, salienceSide),
    host.resize(picture, size.width, size.height),
  ])
  const salience = planeOf(await host.salience(square))
  const inSmall = (it: Box) => scaleBox(it, size.width / picture.width, size.height / picture.height)
  const spread = resizePlane(salience, size)
  const belief = box ? likelier(within(spread, inSmall(box)), boxed) : spread
  const labels = tidy(segment(small, belief, thingCut), 0.01, 0.02)
  const bounds = boundsOf(labels, 0.5)
  if (!bounds || share(labels, 0.5) < leastShare) return undefined
  const subject = { mask: softened(labels, belief), hair: [] }
  if (box) return { ...subject, guess: undefined }
  const main = mainObjects(await objects(), picture)
  const named =
    main[0] && main[0].confidence > surelyNamed.confidence && main.map((it) => inSmall(it.box)).reduce(unionBox)
  const unsure =
    hesitation(salience) > hesitant ||
    isFramed(labels, bounds) ||
    (named && covered(labels, named) < surelyNamed.covered)
  return { ...subject, guess: unsure ? scaleBox(named || bounds, 1 / size.width, 1 / size.height) : undefined }
}

/** A plane that is 0 outside of a box. */
function within(plane: Plane, box: Box): Plane {
  const { width, height, data } = plane
  const inside = (i: number) => {
    const [x, y] = [(i % width) + 0.5 - box.x, Math.floor(i / width) + 0.5 - box.y]
    return x >= 0 && y >= 0 && x <= box.width && y <= box.height
  }
  return { width, height, data: data.map((value, i) => (inside(i) ? value : 0)) }
}

/** How much of a box is covered, 0 to 1. */
const covered = (labels: Plane, box: Box) =>
  (share(within(labels, box), 0.5) * labels.data.length) / (box.width * box.height)

const isFramed = (labels: Plane, bounds: Box) =>
  share(labels, 0.5) > framed.share && covered(labels, bounds) > framed.filled

/** Probabilities whose log odds are raised by so much. */
function likelier({ width, height, data }: Plane, by: number): Plane {
  const odds = Math.exp(by)
  return { width, height, data: data.map((value) => (odds * value) / (1 + (odds - 1) * value)) }
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
