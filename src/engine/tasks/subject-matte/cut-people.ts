import type { EngineHost } from '#engine/host.ts'
import { clipBox, growBox, scaleBox, wholeOf } from '#engine/image/geometry.ts'
import { createPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { cropPicture, cropPlane, fitArea } from '#engine/image/pixels.ts'
import { shareAbove, shrink } from '#engine/image/plane.ts'
import type { Box } from '#shared/media.ts'
import { findClosedGaps } from './closed-gaps.ts'
import { type DetectedPeople, noPeople } from './detect-people.ts'
import { type FoundSubject, findObject, type Subject } from './find-object.ts'
import { type DetectedPerson, personProbability } from './people.ts'
import { addOwnedObjects, areBystanders } from './people-and-things.ts'
import { addInside, cutShort, dropUndetected, faceOf, isMissed } from './people-regions.ts'
import { averageView, modelInput, paleMirroredVariant, plainVariant } from './person-views.ts'
import { findPortraitHead, sharpenHead } from './portrait-head.ts'
import { removeRemnantsBeside } from './remnants.ts'
import { blendLabels, fillHolesAndDropIslands, segment, segmentDefaults } from './segment.ts'

/** A salient object that covers this share of a missed person's body is that person. */
const salientBody = 0.3

/** The part of a mask inside a box, in pixels of the picture. */
function partOf(mask: Plane, box: Box, picture: Picture): Plane {
  const inside = clipBox(scaleBox(box, mask.width / picture.width, mask.height / picture.height), mask)
  return inside ? cropPlane(mask, inside.x, inside.y, inside.width, inside.height) : createPlane(1, 1)
}

/** Space around a body in which it is looked for again, as a share of its longer side. */
const bodyMargin = 0.08

/** Adds one person, cut out of the part of the picture around the body. In place. */
export async function addPerson(
  mask: Plane,
  picture: Picture,
  body: Box,
  { faces }: Pick<DetectedPeople, 'faces'>,
  host: EngineHost,
): Promise<void> {
  const around = clipBox(growBox(body, bodyMargin * Math.max(body.width, body.height)), picture)
  if (!around) return
  const inside = (box: Box) => ({ ...box, x: box.x - around.x, y: box.y - around.y })
  const face = faceOf(body, faces)
  const part = cropPicture(picture, around)
  const person = face ? { box: inside(face), part: 'face' as const } : { box: inside(body), part: 'figure' as const }
  const found = await cutFigure(part, { ...person, body: inside(body) }, host)
  if (found) addInside(mask, found, around, picture)
}

/** Half axes of a head, and half the width in which the network's view counts, in face widths. */
const headSize = { across: 0.4, down: 0.55, view: 0.9 } as const

/** Adds the head of a face, with what a portrait's view of it shows below and above. In place. */
export async function addHead(mask: Plane, picture: Picture, face: Box, host: EngineHost): Promise<void> {
  const around = clipBox(growBox(face, face.width), picture)
  if (!around) return
  const small = await modelInput(picture, host, around)
  const { odds } = await averageView(around, small, [plainVariant, paleMirroredVariant], host)
  const part = createPlane(odds.width, odds.height)
  for (let i = 0; i < part.data.length; i++) {
    const x = around.x + (((i % part.width) + 0.5) * around.width) / part.width
    const y = around.y + ((Math.floor(i / part.width) + 0.5) * around.height) / part.height
    const [across, down] = [(x - face.x) / face.width - 0.5, (y - face.y) / face.height - 0.5]
    const isHead = Math.hypot(across / headSize.across, down / headSize.down) < 1
    if (isHead || (Math.abs(across) < headSize.view && (odds.data[i] as number) > 0)) part.data[i] = 1
  }
  addInside(mask, part, around, picture)
}

/** Mask of a person in the part of a picture around the body, with what the person holds. */
async function cutFigure(
  part: Picture,
  person: DetectedPerson & { body: Box },
  host: EngineHost,
): Promise<Plane | undefined> {
  const { body } = person
  const people = await cutPeople(part, { ...noPeople, seen: [person], possible: [body] }, host)
  if (people && isWholeFigure(people.mask)) return people.mask
  const thing = await findObject(part, undefined, async () => [{ box: body, confidence: 1, label: 'person' }], host)
  if (!thing || thing.guess) return people?.mask
  if (!people || areBystanders(people.mask, thing.mask)) return thing.mask
  const mask = addOwnedObjects(people.mask, thing.mask)
  if (isMissed(mask, person, part)) addSalientBody(mask, thing, body, part)
  return mask
}

/** Adds the part of a salient object inside a body that it covers. In place. */
export function addSalientBody(mask: Plane, thing: FoundSubject | undefined, body: Box, picture: Picture): void {
  if (!thing || thing.guess) return
  const part = partOf(thing.mask, body, picture)
  if (shareAbove(part, 0.5) > salientBody) addInside(mask, part, body, picture)
}

/** True if a mask made for one figure shows its head and legs: things beside it are none of it. */
function isWholeFigure(mask: Plane): boolean {
  const whole = wholeOf(mask)
  return (
    !isMissed(mask, { box: whole, part: 'figure' }, mask) && cutShort(mask, { figures: [whole] }, mask).length === 0
  )
}

export const maskArea = 360 * 360
const cutArea = 240 * 240
/** The person model is reliable, so edges only decide its uncertain pixels. */
const peopleCut = { ...segmentDefaults, belief: 0.9, colour: 0, smooth: 5 }

export interface PeopleCut extends Subject {
  /** The network sees a person in a region that no detected one is in. */
  lacksPerson: boolean
  /** Pixels of the mask cleared by {@link findClosedGaps}. */
  gaps?: Uint8Array | undefined
}

export async function cutPeople(
  picture: Picture,
  detected: DetectedPeople,
  host: EngineHost,
  known?: Plane,
): Promise<PeopleCut | undefined> {
  const { seen: people } = detected
  const { width, height } = fitArea(picture, maskArea)
  const size = fitArea(picture, cutArea)
  const small = await modelInput(picture, host)
  const [{ probability, doubtful }, reduced] = await Promise.all([
    personProbability(picture, small, people, host, width, height),
    host.resize(picture, size.width, size.height),
  ])
  const head = await findPortraitHead(picture, people, probability, { doubtful, known }, host)
  if (head) sharpenHead(probability, head)
  const cut = cutByEdges(picture, reduced, probability, detected)
  if (!cut) return undefined
  if (head && doubtful) removeRemnantsBeside(cut.mask, probability, head)
  const { mask } = cut
  const gaps = await findClosedGaps(mask, probability, picture, host, head?.salience)
  if (gaps) clearPixels(mask, gaps)
  return { ...cut, gaps, hair: people.map(({ box, part }) => (part === 'face' ? hairZone(box) : box)) }
}

export function clearPixels({ data }: Plane, pixels: Uint8Array): void {
  for (let i = 0; i < data.length; i++) if (pixels[i] === 1) data[i] = 0
}

/** Box around a face that long or full hair usually stays within. */
function hairZone(face: Box): Box {
  return {
    x: face.x - 0.5 * face.width,
    y: face.y - 0.7 * face.height,
    width: 2 * face.width,
    height: 2 * face.height,
  }
}

function cutByEdges(
  picture: Picture,
  small: Picture,
  probability: Plane,
  { seen, possible }: DetectedPeople,
): Pick<PeopleCut, 'mask' | 'lacksPerson'> | undefined {
  const rough = shrink(probability, small.width, small.height)
  if (shareAbove(rough, 0.8) < 0.002) return undefined
  const labels = segment(small, rough, peopleCut)
  const reduced = (box: Box) => scaleBox(box, small.width / picture.width, small.height / picture.height)
  const people = seen.map(({ box }) => reduced(box))
  const lacksPerson = dropUndetected(labels, people, possible.map(reduced))
  return { mask: blendLabels(fillHolesAndDropIslands(labels, 0.01, 0.02), probability), lacksPerson }
}
