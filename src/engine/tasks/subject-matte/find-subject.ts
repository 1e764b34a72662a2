import type { Box } from '#contract/media.ts'
import { EngineError } from '#engine/error.ts'
import type { DetectedObject, EngineHost } from '#engine/host.ts'
import { boundsOf, clipBox, connectedRegions, scaleBox, wholeOf } from '#engine/image/geometry.ts'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { fitArea } from '#engine/image/pixels.ts'
import { resizeSmooth, share, shrink } from '#engine/image/plane.ts'
import { findFaces } from '#engine/tasks/faces/faces.ts'
import { findObject, findObjects, mainObjects, type Subject, type SubjectKind, type Thing } from './find-object.ts'
import { personProbability, type Sighting } from './people.ts'
import { modelInput } from './person-views.ts'
import { segment, segmentDefaults, tidy } from './segment.ts'
import { supportFor } from './support.ts'

/**
 * People who fill less of the picture than this stand beside what it shows, if that is sure and so
 * many times larger.
 */
const bystander = { share: 0.06, confidence: 0.4, times: 4 }

/**
 * A thing is cut that is this certain, though the person model be sure of something living, for it
 * knows animals only by the way. From 80 photographs that judge nothing.
 */
const certainThing = 0.6
/** Support below which a cut is a guess. From 110 photographs of things that judge nothing. */
const leastSupport = 0.87

/**
 * Finds the subject of a picture, whose `faces` may be known: people, else a thing that is certain,
 * else what lives, else the thing. Throws `engine.no_subject` when there is none.
 */
export async function findSubject(picture: Picture, search: SubjectSearch, host: EngineHost): Promise<FoundSubject> {
  const { subject: wanted, box } = search
  const objects = once(() => findObjects(picture, host))
  const [small, seen] = await Promise.all([
    modelInput(picture, host),
    wanted === 'object' ? [] : seenPeople(picture, search.faces, objects, host),
  ])
  const cut = (people: Sighting[]) => cutPeople(picture, small, people, host)
  if (wanted !== 'object') {
    const people = seen.length > 0 ? await cut(seen) : undefined
    const beside = people && wanted === 'auto' && (await besideObject(people, picture, objects))
    if (people && !beside) return { ...people, guess: undefined }
  }
  const thing = wanted === 'person' ? undefined : await findObject(picture, box, objects, host)
  const weighed = (found: Subject): FoundSubject => {
    const unsure = thing && !box && supportFor(found.mask, thing.cuts, thing.small) < leastSupport
    return { ...found, guess: unsure ? likelyBox(found, thing) : undefined }
  }
  if (thing && thing.certainty > certainThing) return weighed(thing)
  if (wanted !== 'object') {
    const living = await livingIn(picture, small, host)
    const found = living || wanted === 'person' ? await cut(living ? [living] : []) : undefined
    if (found) return weighed(found)
  }
  if (!thing) throw new EngineError('engine.no_subject')
  return weighed(thing)
}

/** Whether people are the subject of a picture, or a thing. */
export async function subjectIs(picture: Picture, wanted: SubjectKind, host: EngineHost): Promise<'person' | 'thing'> {
  if (wanted !== 'auto') return wanted === 'person' ? 'person' : 'thing'
  const objects = once(() => findObjects(picture, host))
  const seen = await seenPeople(picture, undefined, objects, host)
  if (seen.length === 0) return 'thing'
  const people = await cutPeople(picture, await modelInput(picture, host), seen, host)
  return people && !(await besideObject(people, picture, objects)) ? 'person' : 'thing'
}

export interface SubjectSearch {
  subject: SubjectKind
  box?: Box | undefined
  faces?: readonly Box[] | undefined
}

export interface FoundSubject extends Subject {
  /**
   * Around what is most likely meant, as shares of the picture's width and height, where several
   * things may be; never with a box.
   */
  guess: Box | undefined
}

/** Around what the detector is sure to name, else around what was found. */
function likelyBox({ mask }: Subject, { named, small }: Thing): Box {
  const [box, size] = named ? [named, small] : [boundsOf(mask, 0.5) ?? wholeOf(mask), mask]
  return scaleBox(box, 1 / size.width, 1 / size.height)
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

/** Where somebody turns away, or an animal is; `small` is the picture as the model sees it. */
async function livingIn(picture: Picture, small: Picture, host: EngineHost): Promise<Sighting | undefined> {
  const mask = await host.personMask(small)
  const sure = share(mask, 0.8)
  const possible = share(mask, 0.2)
  const body = boundsOf(mask, 0.5)
  if (!body || sure < living.share || possible - sure > living.doubt * sure || possible > living.most) return undefined
  return { box: scaleBox(body, picture.width / mask.width, picture.height / mask.height), part: 'figure' }
}

/** Cuts out people, whom edges part from what is behind them; undefined when nobody is there. */
async function cutPeople(
  picture: Picture,
  small: Picture,
  people: readonly Sighting[],
  host: EngineHost,
): Promise<Subject | undefined> {
  const { width, height } = fitArea(picture, maskArea)
  const size = fitArea(picture, cutArea)
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
  const { width, height } = probability
  const { data } = resizeSmooth(tidy(labels, 0.01, 0.02), width, height)
  return { width, height, data: probability.data.map((value, i) => 0.2 * value + 0.8 * (data[i] as number)) }
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
