import type { Box } from '#contract/media.ts'
import { EngineError } from '#engine/error.ts'
import type { DetectedObject, EngineHost } from '#engine/host.ts'
import { clipBox, connectedRegions, scaleBox } from '#engine/image/geometry.ts'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { fitArea } from '#engine/image/pixels.ts'
import { share, shrink } from '#engine/image/plane.ts'
import { findFaces } from '#engine/tasks/faces/faces.ts'
import {
  type FoundSubject,
  findObject,
  findObjects,
  mainObjects,
  type Subject,
  type SubjectKind,
} from './find-object.ts'
import { personProbability, type Sighting } from './people.ts'
import { modelInput } from './person-views.ts'
import { segment, segmentDefaults, softened, tidy } from './segment.ts'

/**
 * People who fill less of the picture than this stand beside what it shows, if that is sure and so
 * many times larger.
 */
const bystander = { share: 0.06, confidence: 0.4, times: 4 }

/**
 * Finds the subject of a picture, whose `faces` may be known: people, else the most salient thing.
 * Throws `engine.no_subject` when there is none.
 */
export async function findSubject(
  picture: Picture,
  { subject: wanted, box, faces }: SubjectSearch,
  host: EngineHost,
): Promise<FoundSubject> {
  const objects = once(() => findObjects(picture, host))
  const people = wanted === 'object' ? undefined : await findPeople(picture, { wanted, faces, objects }, host)
  const thing = people || wanted === 'person' ? undefined : await findObject(picture, box, objects, host)
  const found = people ? { ...people, guess: undefined } : thing
  if (!found) throw new EngineError('engine.no_subject')
  return found
}

/** Whether people are the subject of a picture, or a thing. */
export async function subjectIs(picture: Picture, wanted: SubjectKind, host: EngineHost): Promise<'person' | 'thing'> {
  if (wanted !== 'auto') return wanted === 'person' ? 'person' : 'thing'
  const objects = once(() => findObjects(picture, host))
  return (await findPeople(picture, { wanted, objects }, host)) ? 'person' : 'thing'
}

export interface SubjectSearch {
  subject: SubjectKind
  box?: Box | undefined
  faces?: readonly Box[] | undefined
}

/** A slow search that several steps may ask for and none repeats. */
function once<Found>(search: () => Promise<Found>): () => Promise<Found> {
  let found: Promise<Found> | undefined
  return () => {
    found ??= search()
    return found
  }
}

interface PeopleSearch {
  wanted: SubjectKind
  faces?: readonly Box[] | undefined
  objects: () => Promise<DetectedObject[]>
}

/** The people of a picture; unless they are wanted, only where they are what it shows. */
async function findPeople(
  picture: Picture,
  { wanted, faces, objects }: PeopleSearch,
  host: EngineHost,
): Promise<Subject | undefined> {
  const seen = await seenPeople(picture, faces, objects, host)
  if (wanted === 'person') return cutPeople(picture, seen, host)
  const people = seen.length > 0 ? await cutPeople(picture, seen, host) : undefined
  return people && !(await besideObject(people, picture, objects)) ? people : undefined
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

/** People by their faces or, where none is seen, by their figures. */
async function seenPeople(
  picture: Picture,
  faces: readonly Box[] | undefined,
  objects: () => Promise<DetectedObject[]>,
  host: EngineHost,
): Promise<Sighting[]> {
  const found = faces ?? (await findFaces(picture, host)).map(({ box }) => box)
  if (found.length > 0) return found.map((box) => ({ box, part: 'face' }))
  const figures = (await objects()).filter(({ label, confidence }) => label === 'person' && confidence > 0.4)
  return figures.map(({ box }) => ({ box, part: 'figure' }))
}

/** Cuts out people, whom edges part from what is behind them; undefined when nobody is there. */
async function cutPeople(
  picture: Picture,
  people: readonly Sighting[],
  host: EngineHost,
): Promise<Subject | undefined> {
  const { width, height } = fitArea(picture, maskArea)
  const size = fitArea(picture, cutArea)
  const small = await modelInput(picture, host)
  const [probability, reduced] = await Promise.all([
    personProbability(picture, small, people, host, width, height),
    host.resize(picture, size.width, size.height),
  ])
  const mask = decide(picture, reduced, probability, people)
  return mask && { mask, hair: people.map(({ box, part }) => (part === 'face' ? hairZone(box) : box)) }
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
  const rough = shrink(probability, small.width, small.height)
  if (share(rough, 0.8) < 0.002) return undefined
  const labels = segment(small, rough, peopleCut)
  dropStrangers(
    labels,
    people.map((person) => scaleBox(person.box, small.width / picture.width, small.height / picture.height)),
  )
  return softened(tidy(labels, 0.01, 0.02), probability)
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
