import type { DetectedObject, EngineHost } from '#engine/host.ts'
import {
  boundsOf,
  boxOverlap,
  clipBox,
  growBox,
  holdsPoint,
  scaleBox,
  unionBox,
  wholeOf,
} from '#engine/image/geometry.ts'
import { createPlane, type Picture, type Plane, type Size } from '#engine/image/picture.ts'
import { cropPicture, fitArea, fitWithin, pastePlane, planeOf } from '#engine/image/pixels.ts'
import { resizePlane, shareAbove } from '#engine/image/plane.ts'
import type { Box } from '#shared/media.ts'
import { matteUncertainty, maxMatteUncertainty } from './matte-quality.ts'
import { blendLabels, fillHolesAndDropIslands, segment, segmentDefaults } from './segment.ts'

/** Kind of subject to find; `auto` decides between people and the most salient object. */
export type SubjectKind = 'auto' | 'person' | 'object'

/** Rough subject: a soft mask, and the boxes in which hair is expected. */
export interface Subject {
  mask: Plane
  hair: Box[]
}

export interface FoundSubject extends Subject {
  /** Box in shares of the picture if the choice is uncertain and the user gave no box. */
  guess: Box | undefined
}

const animalLabels = ['bird', 'cat', 'dog', 'horse', 'sheep', 'cow', 'elephant', 'bear', 'zebra', 'giraffe']

const salienceSide = 320
const cutArea = salienceSide * salienceSide
/** The network is reliable about objects; colours and edges decide uncertain pixels. */
const objectCut = { ...segmentDefaults, belief: 0.9, colour: 0.3, smooth: 5 }
/** Increase of the log odds inside a box drawn by the user. */
const boxLogOdds = 1
const minObjectShare = 0.0005
/** A cut that fills its box and the picture this far is the inside of a picture frame. */
const framed = { filled: 0.98, share: 0.6 }
/**
 * Network uncertainty above which a cut is a guess; set on 110 photographs not used for judging.
 */
const guessUncertainty = 0.6
/** Detector confidence that outranks a guess or a cut covering less than `covered` of the box. */
const sureDetection = { confidence: 0.45, covered: 0.2 }

/** Salience from 0 to 1 in a square of 320 pixels, the input of its network. */
export async function findSalience(picture: Picture, host: EngineHost): Promise<Plane> {
  return planeOf(await host.salience(await host.resize(picture, salienceSide, salienceSide)))
}

/**
 * Finds the most salient object, or that in the box; undefined when nothing stands out. A guess if
 * the network hesitates also in a closer view, the cut is the inside of a frame, or the detector is
 * sure of another.
 */
export async function findObject(
  picture: Picture,
  box: Box | undefined,
  objects: () => Promise<DetectedObject[]>,
  host: EngineHost,
): Promise<FoundSubject | undefined> {
  const size = fitArea(picture, cutArea)
  const [salience, small] = await Promise.all([
    findSalience(picture, host),
    host.resize(picture, size.width, size.height),
  ])
  const inSmall = (it: Box) => scaleBox(it, size.width / picture.width, size.height / picture.height)
  const spread = resizePlane(salience, size)
  const cut = cutObject(small, box ? raiseLogOdds(clearOutsideBox(spread, inSmall(box)), boxLogOdds) : spread)
  if (!cut) return undefined
  const { mask, labels, bounds } = cut
  const subject = { mask, hair: [], guess: undefined }
  if (box) return subject
  const main = mainObjects(await objects(), picture)
  const detectedBox =
    main[0] && main[0].confidence > sureDetection.confidence && main.map((it) => inSmall(it.box)).reduce(unionBox)
  const isElsewhere =
    isFramed(labels, bounds) || (detectedBox && coveredShare(labels, detectedBox) < sureDetection.covered)
  if (!isElsewhere && matteUncertainty(salience) <= guessUncertainty) return subject
  const extent = unionBox(bounds, boundsOf(spread, faintSalience) ?? bounds)
  const closer = isElsewhere ? undefined : await lookCloser(picture, spread, extent, host)
  const clear = closer && cutObject(small, closer)
  if (clear) return { ...subject, mask: clear.mask }
  return { ...subject, guess: scaleBox(detectedBox || extent, 1 / size.width, 1 / size.height) }
}

interface ObjectCut {
  mask: Plane
  labels: Plane
  bounds: Box
}

function cutObject(small: Picture, belief: Plane): ObjectCut | undefined {
  const labels = fillHolesAndDropIslands(segment(small, belief, objectCut), 0.01, 0.02)
  const bounds = boundsOf(labels, 0.5)
  if (!bounds || shareAbove(labels, 0.5) < minObjectShare) return undefined
  return { mask: blendLabels(labels, belief), labels, bounds }
}

/** Salience from which a pixel may belong to the object. */
export const faintSalience = 0.15
/** Space around the object in a closer view, as a share of its longer side. */
const closerMargin = 0.08

/** Share of the faint area that a closer view has to confirm. */
const confirmedShare = 0.9

/**
 * Salience, at the size of `salience`, from a view of its `extent`: the network may grasp only a
 * part of an object in the whole picture. Undefined if it hesitates here, too, or leaves out a part
 * of what it saw.
 */
async function lookCloser(
  picture: Picture,
  salience: Plane,
  extent: Box,
  host: EngineHost,
): Promise<Plane | undefined> {
  const around = clipBox(growBox(extent, closerMargin * Math.max(extent.width, extent.height)), salience)
  if (!around) return undefined
  const inPicture = scaleBox(around, picture.width / salience.width, picture.height / salience.height)
  const part = clipBox(inPicture, picture)
  const seen = part && (await findSalience(cropPicture(picture, part), host))
  if (!seen || matteUncertainty(seen) > maxMatteUncertainty) return undefined
  const closer = pastePlane(createPlane(salience.width, salience.height), resizePlane(seen, around), around)
  const both = closer.data.filter((value, i) => value > 0.5 && (salience.data[i] as number) > faintSalience)
  return both.length > confirmedShare * shareAbove(salience, faintSalience) * closer.data.length ? closer : undefined
}

/** A thing as wide as this share of the picture goes from edge to edge. */
const wholeWidth = 0.98

/** Box around a mask, in shares of its size. */
export const extentOf = (mask: Plane): Box =>
  scaleBox(boundsOf(mask, 0.5) ?? wholeOf(mask), 1 / mask.width, 1 / mask.height)

/** True if a thing goes from edge to edge, like a wall behind people. */
export const isAcross = (mask: Plane): boolean => extentOf(mask).width >= wholeWidth

function clearOutsideBox(plane: Plane, box: Box): Plane {
  const { width, height, data } = plane
  const inside = (i: number) => {
    const [x, y] = [(i % width) + 0.5 - box.x, Math.floor(i / width) + 0.5 - box.y]
    return x >= 0 && y >= 0 && x <= box.width && y <= box.height
  }
  return { width, height, data: data.map((value, i) => (inside(i) ? value : 0)) }
}

const coveredShare = (labels: Plane, box: Box) =>
  (shareAbove(clearOutsideBox(labels, box), 0.5) * labels.data.length) / (box.width * box.height)

const isFramed = (labels: Plane, bounds: Box) =>
  shareAbove(labels, 0.5) > framed.share && coveredShare(labels, bounds) > framed.filled

function raiseLogOdds({ width, height, data }: Plane, by: number): Plane {
  const odds = Math.exp(by)
  return { width, height, data: data.map((value) => (odds * value) / (1 + (odds - 1) * value)) }
}

const detectSide = 512

/** Detects everyday objects in a picture, or a part of it, with boxes in pixels of the picture. */
export async function findObjects(
  picture: Picture,
  host: EngineHost,
  part: Box = wholeOf(picture),
  { width, height }: Size = fitWithin(part, detectSide),
): Promise<DetectedObject[]> {
  const objects = await host.objects(await host.resize(picture, width, height, part))
  return objects.map((detected) => {
    const box = scaleBox(detected.box, part.width / width, part.height / height)
    return { ...detected, box: { ...box, x: box.x + part.x, y: box.y + part.y } }
  })
}

/** Ranks by confidence, size and distance to the centre; returns all objects of the best label. */
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

/** True if the face is that of an animal, which face detection mistakes for a person's. */
export function isAnimal(face: Box, seen: readonly DetectedObject[]): boolean {
  const around = seen.filter(({ box }) => holdsPoint(box, face.x + face.width / 2, face.y + face.height / 2))
  const labels = around.map(({ label }) => label)
  return labels.some((label) => animalLabels.includes(label)) && !labels.includes('person')
}
