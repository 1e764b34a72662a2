import { EngineError } from '#engine/error.ts'
import type { DetectedObject, EngineHost } from '#engine/host.ts'
import { boxOverlap, clipBox, growBox, scaleBox, shareInside, wholeOf } from '#engine/image/geometry.ts'
import { createPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { cropPicture, cropPlane, fitArea } from '#engine/image/pixels.ts'
import { shareAbove, shrink } from '#engine/image/plane.ts'
import type { Box } from '#shared/media.ts'
import { findClosedGaps } from './closed-gaps.ts'
import { type DetectedPeople, detectPeople, isPortrait, noPeople, withBodies } from './detect-people.ts'
import {
  extentOf,
  type FoundSubject,
  findObject,
  findObjects,
  isAcross,
  type Subject,
  type SubjectKind,
} from './find-object.ts'
import { type DetectedPerson, personProbability } from './people.ts'
import { addOwnedObjects, areBystanders, isAmongCrowd, isPartOf, leavesOutPart } from './people-and-things.ts'
import {
  addInside,
  cutShort,
  distinctBodies,
  dropUndetected,
  holdsFace,
  isMissed,
  keepBodies,
  leavesOutPerson,
  missedPeople,
  personSizeAmong,
} from './people-regions.ts'
import { modelInput } from './person-views.ts'
import { findPortraitHead, sharpenHead } from './portrait-head.ts'
import { removeRemnantsBeside } from './remnants.ts'
import { blendLabels, fillHolesAndDropIslands, segment, segmentDefaults } from './segment.ts'

/** `everyone` has the box of each person if the mask may lack one of them. */
type FoundSubjects = FoundSubject & { kind: 'person' | 'thing'; everyone?: Box[] }

/** At most so many missed people are looked for again before the user is asked. */
const mostMissed = 4

/** A salient object that covers this share of a missed person's body is that person. */
const salientBody = 0.3

/**
 * People come first, with what they hold or ride unless it is a portrait or `subject` is `person`;
 * else the most salient object. Pass known `faces`, or `people` for these alone. Throws
 * `engine.no_subject`.
 */
export async function findSubject(
  picture: Picture,
  { subject: wanted, box, faces, people: chosen, salience }: SubjectSearch,
  host: EngineHost,
): Promise<FoundSubjects> {
  const objects = memoize(() => findObjects(picture, host))
  if (chosen) return { ...(await cutChosen(picture, chosen, objects, host)), guess: undefined, kind: 'person' }
  const known = await findPeople(picture, { subject: wanted, box, faces, salience }, objects, host)
  const peopleOnly = wanted === 'person' || (known.people && isPortrait(known.detected.seen, picture))
  const thing = peopleOnly ? undefined : await findObject(picture, box, objects, host)
  const isOnly = thing && !thing.guess && !box && known.detected.seen.length === 0
  const suspected = isOnly ? await cutSuspected(picture, thing, known.detected, host) : undefined
  const { detected, people } = suspected ?? known
  if (thing && (!people || areBystanders(people.mask, thing.mask))) {
    const isPart = (people && isAcross(thing.mask)) || isAmongCrowd(thing.mask, detected.possible, picture)
    return { ...thing, guess: thing.guess ?? (isPart && !box ? extentOf(thing.mask) : undefined), kind: 'thing' }
  }
  if (!people) throw new EngineError('engine.no_subject')
  const mask = thing && !thing.guess ? addOwnedObjects(people.mask, thing.mask) : people.mask
  // Objects of the people may fill them again.
  if (people.gaps) clearPixels(mask, people.gaps)
  const cut: FoundSubjects = { mask, hair: people.hair, guess: undefined, kind: 'person' }
  if (box || faces) return cut
  const everyone = withBodies(detected, picture)
  for (const { body } of missedPeople(mask, everyone, picture)) addSalientBody(mask, thing, body, picture)
  const bodies = distinctBodies(everyone.map(({ body }) => body))
  const size = personSizeAmong(bodies.length)
  const findCut = () => cutShort(mask, detected, picture, size)
  const findMissed = () => missedPeople(mask, everyone, picture).map(({ body }) => body)
  const missed = findMissed()
  const isLost = missed.length > mostMissed
  const cutBodies = findCut()
  for (const body of isLost ? [] : missed) {
    // The view of a neighbour may have added this person, too.
    if (findMissed().includes(body)) await addPerson(mask, picture, body, detected, host)
  }
  // The view of a neighbour shows only parts of these, so each gets its own.
  for (const body of cutBodies) await addPerson(mask, picture, body, detected, host)
  const isLacking =
    isLost ||
    missedPeople(mask, everyone, picture, size).length > 0 ||
    findCut().length > 0 ||
    (thing && !thing.guess && leavesOutPart(mask, thing.mask)) ||
    (everyone.length > 1 && leavesOutPerson(mask, bodies.length))
  return isLacking ? { ...cut, everyone: bodies } : cut
}

/** People by faces and figures, and their cut; undefined if there are none or none is wanted. */
async function findPeople(
  picture: Picture,
  { subject: wanted, box, faces, salience }: SubjectSearch,
  objects: () => Promise<DetectedObject[]>,
  host: EngineHost,
): Promise<FoundPeople> {
  const detected = wanted === 'object' ? noPeople : await detectPeople(picture, faces, objects, host)
  if (detected.seen.length === 0 && wanted !== 'person') return { detected, people: undefined }
  const people = await cutPeople(picture, detected, host, salience)
  const isAlone = wanted === 'auto' && !box && !faces && detected.possible.length === 0
  if (!isAlone || !people?.lacksPerson) return { detected, people }
  const beside = await detectPeople(picture, faces, objects, host, { besidePortrait: true })
  return { detected: beside, people: await cutPeople(picture, beside, host) }
}

interface FoundPeople {
  detected: DetectedPeople
  people: PeopleCut | undefined
}

/** Share of a thing inside an unsure figure from which it may be a part of that person. */
const insideFigure = 0.8

/** A person whom only an unsure detection shows, if the thing in it is part of the person's cut. */
async function cutSuspected(
  picture: Picture,
  thing: FoundSubject,
  { possible }: DetectedPeople,
  host: EngineHost,
): Promise<FoundPeople | undefined> {
  const extent = scaleBox(extentOf(thing.mask), picture.width, picture.height)
  const around = possible.find((figure) => shareInside(extent, figure) > insideFigure)
  if (!around) return undefined
  const detected = { ...noPeople, seen: [{ box: around, part: 'figure' as const }], figures: [around], possible }
  const people = await cutPeople(picture, detected, host)
  return people && isPartOf(thing.mask, people.mask) ? { detected, people } : undefined
}

/** The part of a mask inside a box, in pixels of the picture. */
function partOf(mask: Plane, box: Box, picture: Picture): Plane {
  const inside = clipBox(scaleBox(box, mask.width / picture.width, mask.height / picture.height), mask)
  return inside ? cropPlane(mask, inside.x, inside.y, inside.width, inside.height) : createPlane(1, 1)
}

/** Cuts the people in the boxes without other detected people. */
async function cutChosen(
  picture: Picture,
  chosen: readonly Box[],
  objects: () => Promise<DetectedObject[]>,
  host: EngineHost,
): Promise<Subject> {
  const detected = await detectPeople(picture, undefined, objects, host)
  const everyone = withBodies(detected, picture)
  const faces = detected.seen.filter(({ box, part }) => part === 'face' && chosen.some((body) => holdsFace(body, box)))
  const seen = [...faces, ...chosen.map((box) => ({ box, part: 'figure' as const }))]
  const people = await cutPeople(picture, { ...detected, seen: [...detected.seen, ...seen.slice(faces.length)] }, host)
  const size = fitArea(picture, maskArea)
  const mask = people?.mask ?? createPlane(size.width, size.height)
  const others = everyone.filter(({ body }) => !chosen.some((box) => boxOverlap(box, body) > sameBody))
  keepBodies(
    mask,
    chosen,
    others.map(({ body }) => body),
    picture,
  )
  const cut = cutShort(mask, detected, picture)
  for (const body of chosen) {
    const isHere = ({ box }: DetectedPerson) => box === body || holdsFace(body, box)
    const isCut = cut.some((figure) => boxOverlap(figure, body) > sameBody)
    if (isCut || seen.some((person) => isHere(person) && isMissed(mask, person, picture)))
      await addPerson(mask, picture, body, detected, host)
  }
  if (shareAbove(mask, 0.5) === 0) throw new EngineError('engine.no_subject')
  return { mask, hair: people?.hair ?? [] }
}

/** Space around a body in which it is looked for again, as a share of its longer side. */
const bodyMargin = 0.08

/** Adds one person, cut out of the part of the picture around the body. In place. */
async function addPerson(
  mask: Plane,
  picture: Picture,
  body: Box,
  { faces }: DetectedPeople,
  host: EngineHost,
): Promise<void> {
  const around = clipBox(growBox(body, bodyMargin * Math.max(body.width, body.height)), picture)
  if (!around) return
  const inside = (box: Box) => ({ ...box, x: box.x - around.x, y: box.y - around.y })
  const face = faces.find((one) => holdsFace(body, one))
  const part = cropPicture(picture, around)
  const person = face ? { box: inside(face), part: 'face' as const } : { box: inside(body), part: 'figure' as const }
  const found = await cutFigure(part, { ...person, body: inside(body) }, host)
  if (found) addInside(mask, found, around, picture)
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
function addSalientBody(mask: Plane, thing: FoundSubject | undefined, body: Box, picture: Picture): void {
  if (!thing || thing.guess) return
  const part = partOf(thing.mask, body, picture)
  if (shareAbove(part, 0.5) > salientBody) addInside(mask, part, body, picture)
}

/** Overlap of a chosen box with a detected body for both to be one person. */
const sameBody = 0.4

/** Classifies the subject of a picture as people or an object. */
export async function classifySubject(
  picture: Picture,
  wanted: SubjectKind,
  host: EngineHost,
): Promise<'person' | 'thing'> {
  if (wanted !== 'auto') return wanted === 'person' ? 'person' : 'thing'
  try {
    return (await findSubject(picture, { subject: wanted }, host)).kind
  } catch (error) {
    if (error instanceof EngineError && error.code === 'engine.no_subject') return 'thing'
    throw error
  }
}

export interface SubjectSearch {
  subject: SubjectKind
  box?: Box | undefined
  faces?: readonly Box[] | undefined
  /** Boxes around the wanted people, in pixels. */
  people?: readonly Box[] | undefined
  /** Salience of the picture if known, which shows the outline of one person more clearly. */
  salience?: Plane | undefined
}

function memoize<Found>(search: () => Promise<Found>): () => Promise<Found> {
  let found: Promise<Found> | undefined
  return () => {
    found ??= search()
    return found
  }
}

/** True if a mask made for one figure shows its head and legs: things beside it are none of it. */
function isWholeFigure(mask: Plane): boolean {
  const whole = wholeOf(mask)
  return (
    !isMissed(mask, { box: whole, part: 'figure' }, mask) && cutShort(mask, { figures: [whole] }, mask).length === 0
  )
}

const maskArea = 360 * 360
const cutArea = 240 * 240
/** The person model is reliable, so edges only decide its uncertain pixels. */
const peopleCut = { ...segmentDefaults, belief: 0.9, colour: 0, smooth: 5 }

interface PeopleCut extends Subject {
  /** The network sees a person in a region that no detected one is in. */
  lacksPerson: boolean
  /** Pixels of the mask cleared by {@link findClosedGaps}. */
  gaps?: Uint8Array | undefined
}

async function cutPeople(
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

function clearPixels({ data }: Plane, pixels: Uint8Array): void {
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
