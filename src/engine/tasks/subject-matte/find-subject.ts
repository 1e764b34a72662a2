import type { Box } from '#contract/media.ts'
import { EngineError } from '#engine/error.ts'
import type { DetectedObject, EngineHost } from '#engine/host.ts'
import { inArena } from '#engine/image/arena.ts'
import { boundsOf, clipBox, connectedRegions, scaleBox } from '#engine/image/geometry.ts'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { fitArea } from '#engine/image/pixels.ts'
import { createPlane, resizeSmooth, share, shrink } from '#engine/image/plane.ts'
import { findFaces } from '#engine/tasks/faces/faces.ts'
import { findObject, findObjects, mainObjects, type Subject, type SubjectKind } from './find-object.ts'
import { personProbability, type Sighting } from './people.ts'
import { modelInput } from './person-views.ts'
import { segment, segmentDefaults, tidy } from './segment.ts'

/**
 * People who fill less of the picture than this stand beside what it shows, if that is sure and so
 * many times larger.
 */
const bystander = { share: 0.06, confidence: 0.4, times: 4 }

/**
 * Finds the subject of a picture, whose `faces` may be known. Throws `engine.no_subject` when there
 * is none.
 */
export async function findSubject(
  picture: Picture,
  { kind: wanted, box, faces }: { kind: SubjectKind; box?: Box | undefined; faces?: readonly Box[] | undefined },
  host: EngineHost,
): Promise<Subject> {
  const objects = once(() => findObjects(picture, host))
  const people = wanted === 'object' ? undefined : await meantPeople(picture, { wanted, faces, objects }, host)
  if (people) return people
  if (wanted === 'person') throw new EngineError('engine.no_subject')
  return findObject(picture, box, objects, host)
}

/** Whether people are the subject of a picture, or a thing. */
export async function subjectIs(picture: Picture, wanted: SubjectKind, host: EngineHost): Promise<'person' | 'thing'> {
  if (wanted !== 'auto') return wanted === 'person' ? 'person' : 'thing'
  const objects = once(() => findObjects(picture, host))
  return (await meantPeople(picture, { wanted, faces: undefined, objects }, host)) ? 'person' : 'thing'
}

/** The people in a picture, unless they only stand beside what it shows. */
async function meantPeople(picture: Picture, clues: Clues, host: EngineHost): Promise<Subject | undefined> {
  const people = await findPeople(picture, clues, host)
  if (!people || clues.wanted === 'person') return people
  return (await besideObject(people, picture, clues.objects)) ? undefined : people
}

/** A slow search that several steps may ask for and none repeats. */
function once<Found>(search: () => Promise<Found>): () => Promise<Found> {
  let found: Promise<Found> | undefined
  return () => {
    found ??= search()
    return found
  }
}

/** Whether people are only seen beside, or on, a much larger thing, such as a car or a boat. */
async function besideObject(
  people: Subject,
  picture: Picture,
  objects: () => Promise<DetectedObject[]>,
): Promise<boolean> {
  const area = share(people.mask, 0.5)
  if (area > bystander.share) return false
  const others = (await objects()).filter(({ label }) => label !== 'person')
  return mainObjects(others, picture).some(
    ({ box, confidence }) =>
      confidence > bystander.confidence &&
      box.width * box.height > bystander.times * area * picture.width * picture.height,
  )
}

const maskArea = 360 * 360
const cutArea = 240 * 240
/** The model knows people; edges only settle what it leaves open. */
const peopleCut = { ...segmentDefaults, belief: 0.9, colour: 0, smooth: 5 }

/**
 * The person model knows animals too. It is sure of a living being when that fills so much of the
 * picture, little beside it is left open, and some of the picture is surely none.
 */
const living = { share: 0.1, doubt: 0.6, most: 0.85 }

interface Clues {
  wanted: 'auto' | 'person'
  /** Boxes of the faces, where they are known. */
  faces: readonly Box[] | undefined
  objects: () => Promise<DetectedObject[]>
}

/**
 * Faces, or what the person model is sure of without one, or figures; undefined when nobody is
 * there.
 */
export async function findPeople(
  picture: Picture,
  { wanted, faces, objects }: Clues,
  host: EngineHost,
): Promise<Subject | undefined> {
  const whole = { x: 0, y: 0, width: picture.width, height: picture.height }
  const [small, found] = await Promise.all([modelInput(picture, whole, host), faces ?? facesIn(picture, host)])
  let people: Sighting[] = found.map((box) => ({ box, part: 'face' }))
  if (people.length === 0) people = await faceless(picture, small, objects, host)
  if (people.length === 0 && wanted === 'auto') return undefined
  const { width, height } = fitArea(picture, maskArea)
  const size = fitArea(picture, cutArea)
  const [probability, reduced] = await Promise.all([
    personProbability(picture, small, people, host, width, height),
    host.resize(picture, size.width, size.height),
  ])
  const mask = decide(picture, reduced, probability, people)
  if (!mask) return undefined
  return { mask, hair: people.map(({ box, part }) => (part === 'face' ? hairZone(box) : box)) }
}

const facesIn = async (picture: Picture, host: EngineHost): Promise<Box[]> =>
  (await findFaces(picture, host)).map(({ box }) => box)

/**
 * Where people, or animals, are that turn away or whose face is hidden; `small` is the picture as
 * the model sees it.
 */
async function faceless(
  picture: Picture,
  small: Picture,
  objects: () => Promise<DetectedObject[]>,
  host: EngineHost,
): Promise<Sighting[]> {
  const mask = await host.personMask(small)
  const sure = share(mask, 0.8)
  const possible = share(mask, 0.2)
  const body = boundsOf(mask, 0.5)
  if (body && sure > living.share && possible - sure < living.doubt * sure && possible < living.most) {
    return [{ box: scaleBox(body, picture.width / mask.width, picture.height / mask.height), part: 'figure' }]
  }
  const figures = (await objects()).filter((detected) => detected.label === 'person' && detected.confidence > 0.4)
  return figures.map(({ box }) => ({ box, part: 'figure' }))
}

/** Around a face's box, as far as long or full hair usually reaches. */
function hairZone(face: Box): Box {
  return {
    x: face.x - 0.5 * face.width,
    y: face.y - 0.7 * face.height,
    width: 2 * face.width,
    height: 2 * face.height,
  }
}

/**
 * Decides what the model leaves open by edges at a reduced size, then joins both into
 * one soft mask.
 */
function decide(picture: Picture, small: Picture, probability: Plane, people: readonly Sighting[]): Plane | undefined {
  const mask = createPlane(probability.width, probability.height)
  const anybody = inArena(() => {
    const rough = shrink(probability, small.width, small.height)
    if (share(rough, 0.8) < 0.002) return false
    const labels = segment(small, rough, peopleCut)
    dropStrangers(
      labels,
      people.map((person) => scaleBox(person.box, small.width / picture.width, small.height / picture.height)),
    )
    join(tidy(labels, 0.01, 0.02), probability, 0.2, mask)
    return true
  })
  return anybody ? mask : undefined
}

/**
 * Where people were seen, a loose region without one is not a person but something that looked like
 * one.
 */
function dropStrangers(labels: Plane, people: readonly Box[]): void {
  const { width, height, data } = labels
  const { labels: owner, regions } = connectedRegions(width, height, (i) => (data[i] as number) > 0.5)
  const known = new Uint8Array(regions.length + 1)
  for (const person of people) {
    const box = clipBox(person, labels)
    if (!box) continue
    for (let y = box.y; y < box.y + box.height; y++) {
      for (let x = box.x; x < box.x + box.width; x++) known[owner[y * width + x] as number] = 1
    }
  }
  if (!regions.some(({ label }) => known[label] === 1)) return
  for (let i = 0; i < data.length; i++) if (known[owner[i] as number] === 0) data[i] = 0
}

function join(labels: Plane, probability: Plane, belief: number, mask: Plane): void {
  const decided = resizeSmooth(labels, probability.width, probability.height)
  for (let i = 0; i < mask.data.length; i++) {
    mask.data[i] = belief * (probability.data[i] as number) + (1 - belief) * (decided.data[i] as number)
  }
}
