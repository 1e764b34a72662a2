import type { Box } from '#contract/media.ts'
import { EngineError } from '#engine/error.ts'
import type { DetectedObject, EngineHost } from '#engine/host.ts'
import { clipBox, connectedRegions, scaleBox } from '#engine/image/geometry.ts'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { fitArea } from '#engine/image/pixels.ts'
import { resizePlane, share, shrink } from '#engine/image/plane.ts'
import { findFaces } from '#engine/tasks/faces/faces.ts'
import { type FoundSubject, findObject, findObjects, type Subject, type SubjectKind } from './find-object.ts'
import { personProbability, type Sighting } from './people.ts'
import { modelInput } from './person-views.ts'
import { segment, segmentDefaults, softened, tidy } from './segment.ts'

/**
 * A face that is so high, as shares of the picture, makes it a portrait, and so does a figure that
 * is so wide and high and goes on below it.
 */
const portrait = { face: 0.2, figure: { width: 0.4, height: 0.5 } }
/** People who fill less of the picture stand beside what stands out, if that is so much larger. */
const bystander = { share: 0.06, times: 4 }
/** A thing of which people are less is not theirs. */
const theirs = 0.15

/**
 * Finds the subject of a picture, whose `faces` may be known: people, with what they hold and ride
 * unless it is a portrait or people alone are wanted; else the most salient thing. Throws
 * `engine.no_subject` when there is none.
 */
export async function findSubject(
  picture: Picture,
  { subject: wanted, box, faces }: SubjectSearch,
  host: EngineHost,
): Promise<FoundSubject & { kind: 'person' | 'thing' }> {
  const objects = once(() => findObjects(picture, host))
  const seen = wanted === 'object' ? [] : await seenPeople(picture, faces, objects, host)
  const people = seen.length > 0 || wanted === 'person' ? await cutPeople(picture, seen, host) : undefined
  const alone = wanted === 'person' || (people && isPortrait(seen, picture))
  const thing = alone ? undefined : await findObject(picture, box, objects, host)
  if (thing && (!people || standBeside(people, thing))) return { ...thing, kind: 'thing' }
  if (!people) throw new EngineError('engine.no_subject')
  const mask = thing && !thing.guess ? withTheirs(people.mask, thing.mask) : people.mask
  return { ...people, mask, guess: undefined, kind: 'person' }
}

/** Whether people are the subject of a picture, or a thing. */
export async function subjectIs(picture: Picture, wanted: SubjectKind, host: EngineHost): Promise<'person' | 'thing'> {
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
}

/** A slow search that several steps may ask for and none repeats. */
function once<Found>(search: () => Promise<Found>): () => Promise<Found> {
  let found: Promise<Found> | undefined
  return () => {
    found ??= search()
    return found
  }
}

function isPortrait(seen: readonly Sighting[], { width, height }: Picture): boolean {
  const { face, figure } = portrait
  return seen.some(({ box, part }) => {
    if (part === 'face') return box.height > face * height
    const cut = box.y + box.height > 0.97 * height
    return cut && box.width > figure.width * width && box.height > figure.height * height
  })
}

/** Whether people are only seen beside, or on, a much larger thing, such as a car or a boat. */
function standBeside(people: Subject, thing: Subject): boolean {
  const area = share(people.mask, 0.5)
  return area < bystander.share && share(thing.mask, 0.5) > bystander.times * area
}

/** The mask of people with that of things which are to a good part people. */
function withTheirs(people: Plane, things: Plane): Plane {
  const { width, height } = people
  const { data } = resizePlane(things, people)
  const { labels, regions } = connectedRegions(width, height, (i) => (data[i] as number) > 0.5)
  const held = new Float64Array(regions.length + 1)
  for (let i = 0; i < labels.length; i++) {
    if ((people.data[i] as number) > 0.5) held[labels[i] as number]!++
  }
  const owned = new Set(
    regions.filter(({ label, area }) => (held[label] as number) > theirs * area).map(({ label }) => label),
  )
  const joined = people.data.map((value, i) =>
    owned.has(labels[i] as number) ? Math.max(value, data[i] as number) : value,
  )
  return { width, height, data: joined }
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
