import { EngineError } from '#engine/error.ts'
import type { DetectedObject, EngineHost } from '#engine/host.ts'
import { boxOverlap, scaleBox, shareInside } from '#engine/image/geometry.ts'
import { createPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { fitArea } from '#engine/image/pixels.ts'
import { shareAbove } from '#engine/image/plane.ts'
import type { Box } from '#shared/media.ts'
import { addHead, addPerson, addSalientBody, clearPixels, cutPeople, maskArea, type PeopleCut } from './cut-people.ts'
import { type DetectedPeople, detectPeople, findFaceIn, isPortrait, noPeople, withBodies } from './detect-people.ts'
import {
  extentOf,
  type FoundSubject,
  findObject,
  findObjects,
  isAcross,
  type Subject,
  type SubjectKind,
} from './find-object.ts'
import { addOwnedObjects, areBystanders, isAmongCrowd, isPartOf, leavesOutPart } from './people-and-things.ts'
import {
  cutShort,
  distinctBodies,
  faceOf,
  holdsFace,
  isFaceCut,
  isMissed,
  keepBodies,
  leavesOutPerson,
  missedPeople,
  personSizeAmong,
} from './people-regions.ts'

/** `everyone` has the box of each person if the mask may lack one of them. */
type FoundSubjects = FoundSubject & { kind: 'person' | 'thing'; everyone?: Box[] }

/** At most so many missed people are looked for again before the user is asked. */
const mostMissed = 4

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
  if (chosen) {
    const cut = await cutChosen(picture, chosen, await detectPeople(picture, undefined, objects, host), host)
    if (shareAbove(cut.mask, 0.5) === 0) throw new EngineError('engine.no_subject')
    return { ...cut, guess: undefined, kind: 'person' }
  }
  const known = await findPeople(picture, { subject: wanted, box, faces, salience }, objects, host)
  const peopleOnly = wanted === 'person' || (known.people && isPortrait(known.detected.seen, picture))
  const thing = peopleOnly ? undefined : await findObject(picture, box, objects, host)
  const marked = wanted === 'object' && box && thing && (await cutMarked(picture, box, thing, objects, host))
  if (marked) return { ...marked, guess: undefined, kind: 'person' }
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
const insideFigure = 0.5

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

/** Cuts the people in the boxes without other detected people; the mask may be empty. */
async function cutChosen(
  picture: Picture,
  chosen: readonly Box[],
  detected: DetectedPeople,
  host: EngineHost,
): Promise<Subject> {
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
    const face = faceOf(body, detected.faces) ?? (await findFaceIn(picture, body, host))
    const isFaceMissed = () => face !== undefined && isMissed(mask, { box: face, part: 'face' }, picture)
    const isCut = cut.some((figure) => boxOverlap(figure, body) > sameBody)
    if (isCut || isFaceMissed() || isMissed(mask, { box: body, part: 'figure' }, picture))
      await addPerson(mask, picture, body, { faces: face ? [face] : [] }, host)
    if (face && isFaceCut(mask, face, picture)) await addHead(mask, picture, face, host)
  }
  // One box may hold several people who stand close together.
  for (const person of everyone.filter((one) => one.part === 'face' && !others.includes(one))) {
    const isPicked = chosen.some((body) => holdsFace(body, person.box))
    if (isPicked && isFaceCut(mask, person.box, picture)) await addHead(mask, picture, person.box, host)
  }
  return { mask, hair: people?.hair ?? [] }
}

/** Share of a person inside the user's box from which the person is marked. */
const insideBox = 0.8
/** Area of the marked people, as a share of the object's, from which they are the subject. */
const peopleAmong = 0.5

/**
 * The people in the user's box with what they hold, where they are much of what it marks: of people
 * who stand side by side an object network cuts out any parts.
 */
async function cutMarked(
  picture: Picture,
  box: Box,
  thing: FoundSubject,
  objects: () => Promise<DetectedObject[]>,
  host: EngineHost,
): Promise<Subject | undefined> {
  const detected = await detectPeople(picture, undefined, objects, host)
  const bodies = distinctBodies(withBodies(detected, picture).map(({ body }) => body))
  const marked = bodies.filter((body) => shareInside(body, box) > insideBox)
  if (marked.length === 0) return undefined
  const people = await cutChosen(picture, marked, detected, host)
  if (shareAbove(people.mask, 0.5) < peopleAmong * shareAbove(thing.mask, 0.5)) return undefined
  return { ...people, mask: addOwnedObjects(people.mask, thing.mask) }
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

export function memoize<Found>(search: () => Promise<Found>): () => Promise<Found> {
  let found: Promise<Found> | undefined
  return () => {
    found ??= search()
    return found
  }
}
