import type { DetectedObject, EngineHost } from '#engine/host.ts'
import { clipBox, connectedTo, growBox, holdsPoint, type Point, wholeOf } from '#engine/image/geometry.ts'
import { createPlane, type Picture, type Plane, type Size } from '#engine/image/picture.ts'
import { cropPicture, fitArea, pastePlane } from '#engine/image/pixels.ts'
import { resizePlane, resizeSmooth, shareAbove } from '#engine/image/plane.ts'
import type { TapPoint } from '#engine/task-types.ts'
import type { Box } from '#shared/media.ts'
import { cutPeople } from './cut-people.ts'
import { detectEveryone, findPersonAt, isSameBody, type Person, peopleOf } from './detect-people.ts'
import { findObject, findObjects, findSalience, isAnimal } from './find-object.ts'
import { memoize } from './find-subject.ts'
import { borderStrength, contrastLinks, fillHolesAndDropIslands, segment, segmentDefaults } from './segment.ts'

/**
 * Selects the objects at the points to keep without those at the others; points are in pixels of
 * the picture. Each point selects an animal or a thing in front of a person, such as a phone; else
 * the person, parted from the neighbours; else whatever stands out most in views around it. Returns
 * a mask of the picture's size, 0 or 1; undefined if nothing stands out.
 */
export async function selectObject(
  picture: Picture,
  points: readonly TapPoint[],
  host: EngineHost,
): Promise<Plane | undefined> {
  const objects = await findObjects(picture, host)
  const detected = await detectEveryone(picture, host)
  const people = peopleOf(detected, picture)
  const everyone = memoize(async () => (await cutPeople(picture, detected, host))?.mask)
  const mask = createPlane(picture.width, picture.height)
  let isFound = false
  for (const point of points) {
    const own =
      (await selectThing(picture, point, objects, people, host)) ??
      (await selectPerson(picture, point, { people, everyone }, host)) ??
      (await selectSalient(picture, point, host))
    if (!own) continue
    isFound ||= point.keep
    const { data } = resizeSmooth(own, picture.width, picture.height)
    for (let i = 0; i < data.length; i++) if ((data[i] as number) > 0.5) mask.data[i] = Number(point.keep)
  }
  return isFound ? mask : undefined
}

/** Mask of all people, in a size of its own; undefined without any. */
export async function findEveryone(picture: Picture, host: EngineHost): Promise<Plane | undefined> {
  const detected = await detectEveryone(picture, host)
  return detected.seen.length > 0 ? (await cutPeople(picture, detected, host))?.mask : undefined
}

const isAt = (box: Box, { x, y }: Point) => holdsPoint(box, x, y)

/** The pixel of a plane at a point of the picture. */
function indexAt({ width, height }: Size, picture: Size, { x, y }: Point): number {
  const column = Math.min(width - 1, Math.floor((x * width) / picture.width))
  const row = Math.min(height - 1, Math.floor((y * height) / picture.height))
  return row * width + column
}

const levelAt = (plane: Plane, picture: Size, point: Point) => plane.data[indexAt(plane, picture, point)] as number

/** Least confidence of a thing, and its largest share of the smallest body around the point. */
const detectedThing = { confidence: 0.28, ofBody: 0.5 }
/** Space around a thing in its closer view, as a share of its longer side. */
const thingMargin = 0.25
/** A label of clothes, which belong to their person. */
const clothes = 'tie'

/** A detected animal, or thing in front of a person: alone, a thing may go on beyond its box. */
async function selectThing(
  picture: Picture,
  point: Point,
  objects: readonly DetectedObject[],
  people: readonly Person[],
  host: EngineHost,
): Promise<Plane | undefined> {
  const areaOf = ({ width, height }: Box) => width * height
  const body = Math.min(...people.flatMap(({ body }) => (isAt(body, point) ? [areaOf(body)] : [])))
  const isMeant = (thing: DetectedObject) =>
    body < Number.POSITIVE_INFINITY ? areaOf(thing.box) < detectedThing.ofBody * body : isAnimal(thing.box, [thing])
  const things = objects.filter(
    (thing) =>
      thing.label !== 'person' &&
      thing.label !== clothes &&
      thing.confidence > detectedThing.confidence &&
      isAt(thing.box, point) &&
      isMeant(thing),
  )
  for (const { box } of things.toSorted((a, b) => areaOf(a.box) - areaOf(b.box))) {
    const view = clipBox(growBox(box, thingMargin * Math.max(box.width, box.height)), picture)
    if (!view) continue
    const inside = { ...box, x: box.x - view.x, y: box.y - view.y }
    const thing = await findObject(cropPicture(picture, view), inside, async () => [], host)
    const mask = thing && placeView(thing.mask, view, picture)
    if (mask && levelAt(mask, picture, point) > 0.5) return mask
  }
  return undefined
}

/** The mask of a view as part of one with the picture's shape. */
function placeView(mask: Plane, view: Box, picture: Size): Plane {
  const [across, down] = [mask.width / view.width, mask.height / view.height]
  const [x, y] = [Math.round(view.x * across), Math.round(view.y * down)]
  const whole = createPlane(
    Math.max(x + mask.width, Math.round(picture.width * across)),
    Math.max(y + mask.height, Math.round(picture.height * down)),
  )
  return pastePlane(whole, mask, { x, y })
}

/** Pixels of the cut between people. */
const cutArea = 320 * 320
/** Least value of everyone's mask at a point on a person. */
const onPerson = 0.3
/** Fall of a body's weight with the distance, and the weight of the background. */
const bodyWeight = { slope: 2, ground: 0.02 }
/** Space around a body for raised arms, as a share of its longer side. */
const armReach = 0.15
/** Radius around the point that certainly belongs to the person, as a share of the longer side. */
const sureRadius = 0.015
/** The outline of a face in shares of its box, and its probability. */
const faceArea = { across: 0.22, down: 0.3, probability: 0.97 } as const
const personCut = { ...segmentDefaults, belief: 0.9, colour: 0.35, smooth: 10, sure: 0.8 }

/**
 * The person at a point: everyone's mask, shared out among the bodies by distance and cut along
 * edges and colours.
 */
async function selectPerson(
  picture: Picture,
  point: Point,
  { people, everyone }: { people: readonly Person[]; everyone: () => Promise<Plane | undefined> },
  host: EngineHost,
): Promise<Plane | undefined> {
  const own = await findPersonAt(picture, point, host)
  const all = own && (await everyone())
  if (!own || !all || levelAt(all, picture, point) < onPerson) return undefined
  const size = fitArea(picture, cutArea)
  const scale = size.width / picture.width
  const others = people.filter((person) => !isSameBody(person, own))
  const around = growBox(own.body, armReach * Math.max(own.body.width, own.body.height))
  const sure = sureRadius * Math.max(picture.width, picture.height)
  const belief = resizePlane(all, size)
  for (let i = 0; i < belief.data.length; i++) {
    const [x, y] = [((i % size.width) + 0.5) / scale, (Math.floor(i / size.width) + 0.5) / scale]
    const weightOf = ({ body, face }: Person) => Math.exp(-bodyWeight.slope * bodyDistance(body, face, x, y))
    const weight = weightOf(own)
    const rest = others.map(weightOf).reduce((sum, other) => sum + other, bodyWeight.ground)
    let chance = ((belief.data[i] as number) * weight) / (weight + rest)
    const isOthers = others.some(({ face }) => face && holdsPoint(face, x, y))
    if (isOthers || !holdsPoint(around, x, y)) chance = 0
    if (own.face && isOnFace(own.face, x, y)) chance = Math.max(chance, faceArea.probability)
    if (Math.hypot(x - point.x, y - point.y) < sure) chance = 1
    belief.data[i] = chance
  }
  const small = await host.resize(picture, size.width, size.height)
  return fillHolesAndDropIslands(segment(small, belief, personCut), 0.02, 0.02)
}

/** Share of the body's height over which its axis leads from the face to the middle of the body. */
const neck = 0.5
/** Half of a head's width in those of its face, and the fade above and below a body in heights. */
const head = { halfWidth: 0.9, fade: 0.2 } as const

/** Squared distance from a body's axis in half widths: 1 at the sides of its box. */
function bodyDistance(body: Box, face: Box | undefined, x: number, y: number): number {
  const middle = body.x + body.width / 2
  const top = face ? face.x + face.width / 2 : middle
  const chin = face ? face.y + face.height : body.y
  const axis = top + (middle - top) * Math.min(1, Math.max(0, (y - chin) / (neck * body.height)))
  const halfWidth = face && y < chin ? head.halfWidth * face.width : body.width / 2
  const beyond = Math.max(0, body.y - y, y - body.y - body.height) / (head.fade * body.height)
  return ((x - axis) / halfWidth) ** 2 + beyond ** 2
}

function isOnFace(face: Box, x: number, y: number): boolean {
  const across = (x - face.x - face.width / 2) / (faceArea.across * face.width)
  const down = (y - face.y - face.height / 2) / (faceArea.down * face.height)
  return across ** 2 + down ** 2 < 1
}

/** Sides of the views around a point, in shares of the picture's longer side. */
const views = [0.16, 0.28, 0.5, 0.85]
const viewArea = 192 * 192
/** Shares of a view that an object in it covers. */
const objectShare = { least: 0.01, most: 0.9 }
const salientCut = { ...segmentDefaults, belief: 0.9, colour: 0.3, smooth: 5 }

/**
 * The salient region at the point in the view that shows it best: with a border along edges, a sure
 * network, and whole inside the view. In a close-up these show nothing, so that the whole picture
 * counts.
 */
async function selectSalient(picture: Picture, point: Point, host: EngineHost): Promise<Plane | undefined> {
  const found: { mask: Plane; worth: number }[] = []
  const look = async (view: Box | undefined) => {
    const region = view && (await findSalientAt(picture, view, point, host))
    if (region) found.push(region)
  }
  for (const share of views) {
    const side = Math.round(share * Math.max(picture.width, picture.height))
    const square = { x: Math.round(point.x - side / 2), y: Math.round(point.y - side / 2), width: side, height: side }
    await look(clipBox(square, picture))
  }
  if (found.length === 0) await look(wholeOf(picture))
  return found.toSorted((a, b) => b.worth - a.worth)[0]?.mask
}

async function findSalientAt(
  picture: Picture,
  view: Box,
  point: Point,
  host: EngineHost,
): Promise<{ mask: Plane; worth: number } | undefined> {
  const part = cropPicture(picture, view)
  const size = fitArea(part, viewArea)
  const [small, salience] = [await host.resize(part, size.width, size.height), await findSalience(part, host)]
  const spread = resizePlane(salience, size)
  const labels = fillHolesAndDropIslands(segment(small, spread, salientCut), 0.02, 0.02)
  const inside = { x: point.x - view.x, y: point.y - view.y }
  const isInside = (i: number) => (labels.data[i] as number) >= 0.5
  const at = indexAt(size, part, inside)
  if (!isInside(at)) return undefined
  const region = connectedTo(size, [at], isInside)
  const cut = { ...size, data: Float32Array.from(region) }
  const area = shareAbove(cut, 0.5)
  if (area < objectShare.least || area > objectShare.most) return undefined
  let certainty = 0
  for (let i = 0; i < region.length; i++) if (region[i]) certainty += Math.abs(2 * (spread.data[i] as number) - 1)
  certainty /= area * region.length
  const worth = borderStrength(cut, contrastLinks(small, 1)) * certainty * (1 - cutOffShare(cut, view, picture)) ** 4
  return { mask: placeView(cut, view, picture), worth }
}

/** Share of the view's border inside the picture that crosses the cut. */
function cutOffShare({ width, height, data }: Plane, { x, y, ...view }: Box, picture: Size): number {
  const sides = [
    y > 0 && { start: 0, step: 1, count: width },
    y + view.height < picture.height && { start: (height - 1) * width, step: 1, count: width },
    x > 0 && { start: 0, step: width, count: height },
    x + view.width < picture.width && { start: width - 1, step: width, count: height },
  ]
  let [crossed, all] = [0, 0]
  for (const side of sides) {
    for (let k = 0; side && k < side.count; k++) crossed += data[side.start + k * side.step] as number
    all += side ? side.count : 0
  }
  return all > 0 ? crossed / all : 0
}
