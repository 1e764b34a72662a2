import type { Box } from '#contract/media.ts'
import { EngineError } from '#engine/error.ts'
import { findFaces } from '#engine/faces.ts'
import { boxOverlap, clipBox, connectedRegions, growBox, scaleBox } from '#engine/geometry.ts'
import type { EngineHost, Thing } from '#engine/host.ts'
import { personProbability, type Sighting } from '#engine/people.ts'
import type { Picture, Plane } from '#engine/picture.ts'
import { fitArea, fitWithin } from '#engine/pixels.ts'
import { createPlane, resizeSmooth, shrink } from '#engine/plane.ts'
import { barrierSaliency, partingValue, relativeFocus } from '#engine/saliency.ts'
import { borderStrength, contrastLinks, segment, segmentDefaults, tidy } from '#engine/segment.ts'
import type { BackgroundRemovalParams } from './contract.ts'

const detectSide = 512
const maskArea = 448 * 448
const cutSide = 256
const cutArea = 240 * 240
/** The model mostly knows people: colours and edges only settle what it leaves open, and only near where they were seen. */
const peopleCut = { belief: 0.9, colour: 0.5, limit: 6, smooth: 10, reach: 0.4, clusters: 8, sure: 0.9 }

/** What is to be kept, roughly: a soft mask, and where hair has to be expected. */
export interface Subject {
  mask: Plane
  hair: Box[]
}

/** Finds the subject of a picture. Throws `engine.no_subject` when there is none. */
export async function findSubject(
  picture: Picture,
  wanted: BackgroundRemovalParams['subject'],
  box: Box | undefined,
  host: EngineHost,
): Promise<Subject> {
  const things = once(() => findThings(picture, host))
  if (wanted !== 'object') {
    const people = await findPeople(picture, wanted, things, host)
    if (people) return people
    if (wanted === 'person') throw new EngineError('engine.no_subject')
  }
  return findObject(picture, box, things, host)
}

/** Everyday things in pixels of the picture. */
async function findThings(picture: Picture, host: EngineHost): Promise<Thing[]> {
  const { width, height } = fitWithin(picture, detectSide)
  const things = await host.things(await host.resize(picture, width, height))
  return things.map((thing) => ({ ...thing, box: scaleBox(thing.box, picture.width / width, picture.height / height) }))
}

/** A slow search that several steps may ask for and none repeats. */
function once<Found>(search: () => Promise<Found>): () => Promise<Found> {
  let found: Promise<Found> | undefined
  return () => {
    found ??= search()
    return found
  }
}

/** Faces, or figures where no face shows; undefined when nobody is there. */
async function findPeople(
  picture: Picture,
  wanted: 'auto' | 'person',
  things: () => Promise<Thing[]>,
  host: EngineHost,
): Promise<Subject | undefined> {
  const faces = await findFaces(picture, host)
  let people: Sighting[] = faces.map(({ box }) => ({ box, part: 'face' }))
  if (people.length === 0) {
    const figures = (await things()).filter((thing) => thing.label === 'person' && thing.confidence > 0.4)
    people = figures.map(({ box }) => ({ box, part: 'figure' }))
    if (people.length === 0 && wanted === 'auto') return undefined
  }
  const { width, height } = fitArea(picture, maskArea)
  const probability = await personProbability(picture, people, host, width, height)
  const mask = await settle(picture, probability, people, host)
  if (!mask) return undefined
  return { mask, hair: people.filter((person) => person.part === 'face').map((person) => hairZone(person.box)) }
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

/** Decides what the model leaves open by colours and edges at a reduced size, then joins both into one soft mask. */
async function settle(
  picture: Picture,
  probability: Plane,
  people: readonly Sighting[],
  host: EngineHost,
): Promise<Plane | undefined> {
  const size = fitArea(picture, cutArea)
  const small = await host.resize(picture, size.width, size.height)
  const rough = shrink(probability, size.width, size.height)
  if (share(rough, 0.8) < 0.002) return undefined
  const labels = segment(small, rough, peopleCut)
  dropStrangers(
    labels,
    people.map((person) => scaleBox(person.box, size.width / picture.width, size.height / picture.height)),
  )
  return join(tidy(labels, 0.01, 0.02), probability, 0.2)
}

/** Where people were seen, a loose region without one is not a person but something that looked like one. */
function dropStrangers(labels: Plane, people: readonly Box[]): void {
  const { width, height, data } = labels
  const { labels: owner, regions } = connectedRegions(width, height, (i) => (data[i] as number) > 0.5)
  const known = new Set<number>()
  for (const person of people) {
    const box = clipBox(person, labels)
    if (!box) continue
    for (let y = box.y; y < box.y + box.height; y++) {
      for (let x = box.x; x < box.x + box.width; x++) known.add(owner[y * width + x] as number)
    }
  }
  if (!regions.some((region) => known.has(region.label))) return
  for (let i = 0; i < data.length; i++) if (!known.has(owner[i] as number)) data[i] = 0
}

function join(labels: Plane, probability: Plane, belief: number): Plane {
  const decided = resizeSmooth(labels, probability.width, probability.height)
  const mask = createPlane(probability.width, probability.height)
  for (let i = 0; i < mask.data.length; i++) {
    mask.data[i] = belief * (probability.data[i] as number) + (1 - belief) * (decided.data[i] as number)
  }
  return mask
}

function share(plane: Plane, threshold: number): number {
  let count = 0
  for (const value of plane.data) if (value > threshold) count++
  return count / plane.data.length
}

/**
 * The most salient thing, or the one in the box. Several cuts are tried, narrow and generous ones, and a detected thing also as the
 * middle of something larger, such as a cup on its saucer; the cut whose border follows real edges best wins.
 */
async function findObject(
  picture: Picture,
  box: Box | undefined,
  things: () => Promise<Thing[]>,
  host: EngineHost,
): Promise<Subject> {
  const size = fitWithin(picture, cutSide)
  const small = await host.resize(picture, size.width, size.height)
  const clues = await gatherClues(picture, small, host)
  const frame = box && scaleBox(box, size.width / picture.width, size.height / picture.height)
  const main = frame ? undefined : mainThing(await things(), picture)?.box
  const thing = main && scaleBox(main, size.width / picture.width, size.height / picture.height)
  if (!frame && !thing && share(clues.salient, 0.5) === 0) throw new EngineError('engine.no_subject')
  const cuts = [
    cutObject(small, objectBelief(clues, thing, frame)),
    cutObject(small, objectBelief(generous(clues), thing, frame)),
  ]
  if (frame) cuts.push(cutObject(small, objectBelief(generous(clues), thing, frame, 1)))
  if (thing) {
    const wider = growBox(thing, 0.6 * Math.max(thing.width, thing.height))
    if (boxOverlap(wider, { x: 0, y: 0, ...size }) < 0.9)
      cuts.push(cutObject(small, objectBelief(clues, undefined, wider)))
  }
  const links = contrastLinks(small, 1)
  const [labels] = cuts
    .filter((cut) => share(cut, 0.5) > 0.002 && share(cut, 0.5) < 0.985)
    .sort((a, b) => worth(b, links) - worth(a, links))
  if (!labels) throw new EngineError('engine.no_subject')
  return { mask: labels, hair: [] }
}

/** Of two cuts whose borders are about as good, the larger is the more complete one. */
function worth(cut: Plane, links: readonly Float32Array[]): number {
  return borderStrength(cut, links) * share(cut, 0.5) ** 0.12
}

/** Lets more of what hardly stands out belong to the subject. */
function generous(clues: Clues): Clues {
  return { ...clues, parting: 0.8 * clues.parting }
}

interface Clues {
  /** What stands out from the border, and the value from which it counts as standing out. */
  salient: Plane
  parting: number
  /** What the person model takes for a living being, and what is in focus; only where there seems to be an animal. */
  living?: Plane
  focus?: Plane
}

async function gatherClues(picture: Picture, small: Picture, host: EngineHost): Promise<Clues> {
  const salient = barrierSaliency(small)
  const clues = { salient, parting: Math.min(partingValue(salient), 0.5) }
  const living = resizeSmooth(await host.personMask(picture), small.width, small.height)
  return share(living, 0.8) > 0.1 ? { ...clues, living, focus: relativeFocus(small) } : clues
}

/** A first belief from all clues: outside a frame nothing, inside it the more the less is left to the clues; around a thing's box little. */
function objectBelief(clues: Clues, thing: Box | undefined, frame: Box | undefined, clarity = 0.5): Plane {
  const { salient, parting, living, focus } = clues
  const { width, height } = salient
  const belief = createPlane(width, height)
  for (let i = 0; i < belief.data.length; i++) {
    const x = i % width
    const y = (i - x) / width
    let odds = 5 * ((salient.data[i] as number) - parting)
    if (living && focus) odds += 2 * ((living.data[i] as number) - 0.5) + 1.5 * (focus.data[i] as number)
    if (thing) odds += 3 * nearness(thing, x, y) - 1.5
    if (frame) odds = nearness(frame, x, y) < 1 ? -8 : clarity * odds + 1.5 - clarity
    belief.data[i] = 1 / (1 + Math.exp(-odds))
  }
  return belief
}

/** Colours and edges decide in two rounds, the second learning from the first. */
function cutObject(small: Picture, belief: Plane): Plane {
  const first = segment(small, belief, { ...segmentDefaults, belief: 0.8, sure: 0.8 })
  const second = createPlane(small.width, small.height)
  for (let i = 0; i < second.data.length; i++) {
    const outside = (belief.data[i] as number) < 0.005
    second.data[i] = outside ? 0.004 : 0.6 * (first.data[i] as number) + 0.4 * (belief.data[i] as number)
  }
  return tidy(segment(small, second, { ...segmentDefaults, belief: 1, sure: 0.75 }), 0.02, 0.1)
}

/** 1 inside a box, falling to 0 at a quarter of its size away. */
function nearness(box: Box, x: number, y: number): number {
  const awayX = Math.max(box.x - x - 0.5, x + 0.5 - box.x - box.width, 0) / box.width
  const awayY = Math.max(box.y - y - 0.5, y + 0.5 - box.y - box.height, 0) / box.height
  return Math.max(0, 1 - 4 * Math.max(awayX, awayY))
}

/** The thing that is surest, large and near the middle. */
function mainThing(seen: Thing[], { width, height }: Picture): Thing | undefined {
  const whole = { x: 0, y: 0, width, height }
  const rank = ({ box, confidence }: Thing): number => {
    const offX = (box.x + box.width / 2) / width - 0.5
    const offY = (box.y + box.height / 2) / height - 0.5
    return confidence * Math.sqrt(boxOverlap(box, whole)) * (1 - offX * offX - offY * offY)
  }
  const things = seen.filter(
    ({ box, confidence }) => confidence > 0.2 && (confidence > 0.3 || boxOverlap(box, whole) < 0.7),
  )
  things.sort((a, b) => rank(b) - rank(a))
  const [best] = things
  return best && rank(best) > 0.06 ? best : undefined
}
