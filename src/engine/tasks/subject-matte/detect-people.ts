import type { DetectedObject, EngineHost } from '#engine/host.ts'
import { boxOverlap, clipBox, growBox, holdsPoint, type Point, shareInside, wholeOf } from '#engine/image/geometry.ts'
import type { Picture } from '#engine/image/picture.ts'
import { closeSize, findFaces, findFacesIn, tilesOf } from '#engine/tasks/faces/faces.ts'
import type { Box } from '#shared/media.ts'
import { findObjects } from './find-object.ts'
import type { DetectedPerson } from './people.ts'
import { bodyOf, faceOf, headMiddle, holdsFace, withoutFace } from './people-regions.ts'

/** A portrait has a face this high, or a figure this large cut off by the lower edge (shares). */
const portrait = { face: 0.2, figure: { width: 0.4, height: 0.5 } }

/** In pixels of the picture. */
export interface DetectedPeople {
  seen: readonly DetectedPerson[]
  /** Figures that may be people, not sure enough to be looked for. */
  suspected: readonly DetectedPerson[]
  /** Boxes of people with and without a face, not all sure. */
  figures: readonly Box[]
  /** Unsure boxes of people who stand below a face that no figure holds. */
  standing: readonly Box[]
  faces: readonly Box[]
  /** Boxes in which the detector suspects a person, however unsure. */
  possible: readonly Box[]
}

export const noPeople: DetectedPeople = { seen: [], suspected: [], figures: [], standing: [], faces: [], possible: [] }
const confidences = { seen: 0.4, suspected: 0.3 }

/**
 * From so many people on, faces are searched thoroughly, and the detector also looks at square
 * tiles as high or wide as the picture: in the whole picture both miss people who stand close
 * together. Faces below this share of the median height are on posters or far behind.
 */
const crowd = { people: 5, leastFace: 0.4 }

/**
 * People by face search and object detector; with known `faces` only these. `besidePortrait` looks
 * for others also beside a single large face.
 */
export async function detectPeople(
  picture: Picture,
  faces: readonly Box[] | undefined,
  objects: () => Promise<DetectedObject[]>,
  host: EngineHost,
  { besidePortrait = false } = {},
): Promise<DetectedPeople> {
  const first = faces ?? (await findFaces(picture, host)).map(({ box }) => box)
  const asFaces = (boxes: readonly Box[]) => boxes.map((box) => ({ box, part: 'face' as const }))
  // The caller knows the person it wants, and behind a single portrait are only bystanders.
  const isAlone = !besidePortrait && first.length === 1 && isPortrait(asFaces(first), picture)
  if (faces || isAlone) return { ...noPeople, seen: asFaces(first) }
  const persons = (await objects()).filter(isPerson)
  const isCrowd = first.length + withoutFace(persons, first).length >= crowd.people
  if (isCrowd) await addFromTiles(persons, picture, host)
  const found = isCrowd ? await facesOfCrowd(picture, host) : first
  const withFace = asFaces(found)
  const figures = persons.filter(({ confidence }) => confidence > confidences.suspected)
  const faceless = withoutFace(figures, found).map(({ box, confidence }) => ({
    box,
    confidence,
    part: 'figure' as const,
  }))
  return {
    seen: [...withFace, ...faceless.filter(({ confidence }) => confidence > confidences.seen)],
    suspected: faceless.filter(({ confidence }) => confidence <= confidences.seen),
    figures: figures.map(({ box }) => box),
    standing: standingAmong(persons, figures, found),
    faces: found,
    possible: persons.map(({ box }) => box),
  }
}

/** Also the people beside a portrait. */
export const detectEveryone = (picture: Picture, host: EngineHost): Promise<DetectedPeople> =>
  detectPeople(picture, undefined, () => findObjects(picture, host), host, { besidePortrait: true })

async function facesOfCrowd(picture: Picture, host: EngineHost): Promise<Box[]> {
  const found = (await findFaces(picture, host, { thorough: true })).map(({ box }) => box)
  const median = found[found.length >> 1]
  return found.filter(({ height }) => median && height >= crowd.leastFace * median.height)
}

/** Height in widths from which a box is that of someone who stands. */
const upright = 2.5

function standingAmong(
  persons: readonly DetectedObject[],
  figures: readonly DetectedObject[],
  faces: readonly Box[],
): Box[] {
  const free = faces.filter((face) => !figures.some(({ box }) => holdsFace(box, face)))
  return persons.flatMap((person) => {
    const { box } = person
    const stands = box.height > upright * box.width && free.some((face) => holdsFace(box, face))
    return stands && !figures.includes(person) ? [box] : []
  })
}

/** Share of a body's height in which its face is looked for. */
const upperBody = 0.6

/** The face of a body in a closer view of it. */
export async function findFaceIn(picture: Picture, body: Box, host: EngineHost): Promise<Box | undefined> {
  const part = clipBox({ ...body, height: upperBody * body.height }, picture)
  return part && faceOf(body, await facesIn(picture, part, host))
}

async function figuresIn(picture: Picture, view: Box, host: EngineHost): Promise<Box[]> {
  return (await findObjects(picture, host, view, closeSize(view)))
    .filter((one) => isPerson(one) && one.confidence > confidences.suspected)
    .flatMap(({ box }) => (isCutBy(view, box, picture) ? [] : [box]))
}

async function facesIn(picture: Picture, part: Box, host: EngineHost): Promise<Box[]> {
  return (await findFacesIn(picture, part, host)).map(({ box }) => box)
}

/**
 * Sides of the views around a tap, as shares of the picture's shorter side. The widest comes first:
 * parts of a large face may pass for a face.
 */
const tapViews = [1, 0.6, 0.3, 0.15]
/** Space around a face in which a tap means it, as a share of its side. */
const tapMargin = 0.15
/** A figure of fewer heights of its face is only a head and shoulders. */
const leastBody = 2

export interface Person {
  body: Box
  face: Box | undefined
}

/**
 * The person at a point: a known one with the face there, else by closer and closer views a face,
 * a figure, or the body of a face above the point, else a known body. Undefined if none is seen.
 */
export async function findPersonAt(picture: Picture, { x, y }: Point, host: EngineHost): Promise<Person | undefined> {
  const known = peopleOf(await detectEveryone(picture, host), picture)
  const seen = known.find(({ face }) => face && holdsPoint(face, x, y))
  if (seen) return seen
  const around = (people: readonly Person[]) => people.filter(({ body }) => holdsPoint(body, x, y))
  const found: Person[] = []
  for (const share of tapViews) {
    const side = share * Math.min(picture.width, picture.height)
    // Closer views show only parts of these.
    if (found.length > 0 && found.every(({ body }) => body.height > side)) break
    const view = clipBox({ x: x - side / 2, y: y - side / 2, width: side, height: side }, picture)
    if (!view) return undefined
    const faces = await facesIn(picture, view, host)
    const tapped = faces.find((face) => holdsPoint(growBox(face, tapMargin * face.width), x, y))
    // The whole picture shows how wide a person near the camera is.
    const persons = await figuresIn(picture, tapped ? wholeOf(picture) : view, host)
    const withBody = (face: Box): Person => {
      const bodies = persons.filter(({ height }) => height > leastBody * face.height)
      return { body: bodyOf(face, bodies, picture), face }
    }
    if (tapped) return knownAs(withBody(tapped), known)
    found.push(...around([...persons.map((body) => ({ body, face: undefined })), ...faces.map(withBody)]))
  }
  const fromHead = ({ body: b }: Person) => Math.hypot((x - b.x) / b.width - 0.5, (y - b.y) / b.height - headMiddle)
  const nearest = (people: readonly Person[]) => people.toSorted((a, b) => fromHead(a) - fromHead(b))[0]
  const best = nearest(found.filter(({ face }) => !face)) ?? found.at(-1)
  return best ? knownAs(best, known) : nearest(around(known))
}

/** Overlaps of two faces, a body and its part in a closer view, and two bodies of one person. */
const same = { face: 0.3, part: 0.5, body: 0.7 } as const

const knownAs = (found: Person, known: readonly Person[]): Person =>
  known.find(({ body, face }) =>
    face && found.face ? boxOverlap(face, found.face) > same.face : boxOverlap(body, found.body) > same.part,
  ) ?? found

export const isSameBody = (one: Person, other: Person): boolean => boxOverlap(one.body, other.body) > same.body

/** Each body once. */
export const peopleOf = (detected: DetectedPeople, picture: Picture): Person[] =>
  withBodies(detected, picture)
    .map(({ part, box, body }) => ({ body, face: part === 'face' ? box : faceOf(body, detected.faces) }))
    .filter((one, i, all) => !all.slice(0, i).some((other) => isSameBody(one, other)))

/** With the box of each body. */
export const withBodies = ({ seen, suspected, possible }: DetectedPeople, picture: Picture) =>
  [...seen, ...suspected].map((person) => ({
    ...person,
    body: person.part === 'face' ? bodyOf(person.box, possible, picture) : person.box,
  }))

export function isPortrait(seen: readonly DetectedPerson[], { width, height }: Picture): boolean {
  const { face, figure } = portrait
  return seen.some(({ box, part }) => {
    if (part === 'face') return box.height > face * height
    const cut = box.y + box.height > 0.97 * height
    return cut && box.width > figure.width * width && box.height > figure.height * height
  })
}

const isPerson = ({ label }: DetectedObject) => label === 'person'

/** A person in a tile with a higher overlap, or this share inside another box, is known. */
const known = { overlap: 0.4, inside: 0.7 }

/** Adds the people whom the detector sees in tiles only, none that a tile cuts. In place. */
async function addFromTiles(persons: DetectedObject[], picture: Picture, host: EngineHost): Promise<void> {
  for (const tile of tilesOf(picture, Math.min(picture.width, picture.height))) {
    for (const one of (await findObjects(picture, host, tile)).filter(isPerson)) {
      const isKnown = persons.some(
        ({ box }) => boxOverlap(box, one.box) > known.overlap || shareInside(one.box, box) > known.inside,
      )
      if (!isKnown && !isCutBy(tile, one.box, picture)) persons.push(one)
    }
  }
}

/** True if a box ends at an edge of the tile inside the picture, except at the lower one. */
function isCutBy(tile: Box, { x, y, width }: Box, picture: Picture): boolean {
  const near = edgeDistance * tile.width
  const left = tile.x > 0 && x - tile.x < near
  const right = tile.x + tile.width < picture.width && tile.x + tile.width - x - width < near
  return left || right || (tile.y > 0 && y - tile.y < near)
}

/** A box this close to an edge ends there, as a share of the tile. */
const edgeDistance = 0.02
