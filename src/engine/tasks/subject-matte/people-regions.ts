import {
  boxOverlap,
  clipBox,
  connectedRegions,
  growBox,
  holdsPoint,
  scaleBox,
  unionBox,
} from '#engine/image/geometry.ts'
import { dilate } from '#engine/image/morphology.ts'
import type { Plane, Size } from '#engine/image/picture.ts'
import { cropPlane } from '#engine/image/pixels.ts'
import { resizePlane, shareAbove } from '#engine/image/plane.ts'
import type { Box } from '#shared/media.ts'
import type { DetectedPerson } from './people.ts'
import { blendedProbability } from './segment.ts'

/** A region of this share of the largest detected person is a person too. */
export const personSize = 0.25
/** From this number of people on, sizes differ more: one may stand close to the camera. */
export const crowd = { people: 6, size: personSize / 2 }

/** Least size of a person among so many, as a share of the largest one's. */
export const personSizeAmong = (count: number): number => (count < crowd.people ? personSize : crowd.size)

/** Overlap of a region's box and that of a suspected person. */
const suspectedOverlap = 0.3

/**
 * Removes regions without a detected person if another region has one, unless they are as large as
 * a person and the detector suspects one there (`possible`): faces may be turned away or covered.
 * In place. Returns true if a removed region is as large as a person.
 */
export function dropUndetected(labels: Plane, people: readonly Box[], possible: readonly Box[] = []): boolean {
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
  const largest = Math.max(0, ...regions.filter(({ label }) => known[label] === 1).map(({ area }) => area))
  if (largest === 0) return false
  for (const { label, area, box } of regions) {
    const isPossible = possible.some((figure) => boxOverlap(figure, box) > suspectedOverlap)
    if (isPossible && area >= personSize * largest) known[label] = 1
  }
  for (let i = 0; i < data.length; i++) if (known[owner[i] as number] === 0) data[i] = 0
  return regions.some(({ label, area }) => known[label] === 0 && area >= personSize * largest)
}

/** Figures of people none of whose faces was found. */
export function withoutFace<Figure extends { box: Box }>(figures: readonly Figure[], faces: readonly Box[]): Figure[] {
  const kept: Figure[] = []
  for (const figure of figures) {
    const { box } = figure
    const hasFace = faces.some(({ x, y, width, height }) => {
      const [centreX, centreY] = [x + width / 2 - box.x, y + height / 2 - box.y]
      return centreX > 0 && centreY > 0 && centreX < box.width && centreY < box.height
    })
    if (!hasFace && !kept.some((other) => boxOverlap(other.box, box) > sameFigure)) kept.push(figure)
  }
  return kept
}

/** Overlap of two detections of one person. */
const sameFigure = 0.5

/** A whole standing body around a face, in its widths and heights. */
const wholeBody = { aside: 1.2, above: 0.3, height: 7 }
/** Widths of a figure in those of its face. */
const figureWidth = { least: 1, most: 5 }

/** Body of a face: a detected figure with the face on top, else that of a standing person. */
export function bodyOf(face: Box, figures: readonly Box[], picture: Size): Box {
  const [x, y] = [face.x + face.width / 2, face.y + face.height / 2]
  const { aside, above, height } = wholeBody
  const standing = {
    x: x - aside * face.width,
    y: face.y - above * face.height,
    width: 2 * aside * face.width,
    height: height * face.height,
  }
  const estimated = clipBox(standing, picture) ?? face
  const own = figures.filter((figure) => {
    const widths = figure.width / face.width
    return (
      Math.abs(x - figure.x - figure.width / 2) < 0.5 * figure.width &&
      y > figure.y &&
      y < figure.y + 0.5 * figure.height &&
      widths > figureWidth.least &&
      widths < figureWidth.most
    )
  })
  const [nearest] = own.toSorted((a, b) => boxOverlap(b, estimated) - boxOverlap(a, estimated))
  return nearest ? unionBox(nearest, face) : estimated
}

/** A body of a smaller share of the largest one's area is not worth a question. */
const distantBody = 0.1

/** Each body once, the largest first, without distant ones. */
export function distinctBodies(bodies: readonly Box[]): Box[] {
  const kept: Box[] = []
  const area = ({ width, height }: Box) => width * height
  for (const body of bodies.toSorted((a, b) => area(b) - area(a))) {
    const isNew = !kept.some((other) => boxOverlap(other, body) > sameFigure)
    if (isNew && area(body) >= distantBody * area(kept[0] ?? body)) kept.push(body)
  }
  return kept
}

/** Least share in the mask of the face with the chest below it, or of the figure. */
const leastCoverage = { face: 0.4, figure: 0.15 }

/** True if the mask leaves out the person, or the head. Boxes are in pixels of the picture. */
export function isMissed(
  mask: Plane,
  { box, part }: DetectedPerson,
  picture: Size,
  least = leastCoverage[part],
): boolean {
  const covers = (looked: Box) => {
    const inside = clipBox(scaleBox(looked, mask.width / picture.width, mask.height / picture.height), mask)
    if (!inside) return true
    const { x, y, width, height } = inside
    return shareAbove(cropPlane(mask, x, y, width, height), 0.5) >= least
  }
  return !covers(box) || (part === 'face' && !covers({ ...box, height: 2 * box.height }))
}

/** The middle of a face without the ground beside it, and its least share in the mask. */
const innerFace = { margin: 0.2, least: 0.8 }

/** True if the mask leaves out a part of the face. */
export function isFaceCut(mask: Plane, face: Box, picture: Size): boolean {
  const box = growBox(face, -innerFace.margin * face.width)
  return isMissed(mask, { box, part: 'figure' }, picture, innerFace.least)
}

/** A face of this share of the highest one's height is as near; children's heads are large. */
const nearFace = 0.6

/** The people of at least this `size` whom the mask lacks, among `people`; see {@link isMissed}. */
export function missedPeople<Person extends DetectedPerson & { body: Box }>(
  mask: Plane,
  people: readonly Person[],
  picture: Size,
  size = personSize,
): Person[] {
  const largest = Math.max(0, ...people.map(({ body }) => body.width * body.height))
  const highest = Math.max(0, ...people.map(({ part, box }) => (part === 'face' ? box.height : 0)))
  const isNear = ({ part, box, body }: Person) =>
    body.width * body.height >= size * largest || (part === 'face' && box.height >= nearFace * highest)
  return people.filter((person) => isNear(person) && isMissed(mask, person, picture))
}

/** True if the middle of the face is in the upper part of the body. */
export function holdsFace(body: Box, face: Box): boolean {
  return holdsPoint({ ...body, height: 0.6 * body.height }, face.x + face.width / 2, face.y + face.height / 2)
}

/** Middle of a head below the top of the body, in its heights. */
export const headMiddle = 0.1

/** The face of a body: of those it holds the nearest to its head, others belong to neighbours. */
export function faceOf(body: Box, faces: readonly Box[]): Box | undefined {
  const away = ({ x, y, width, height }: Box) =>
    Math.hypot(x + width / 2 - body.x - body.width / 2, y + height / 2 - body.y - headMiddle * body.height)
  return faces.filter((face) => holdsFace(body, face)).toSorted((a, b) => away(a) - away(b))[0]
}

/**
 * Parts of a figure, in its heights. The mask has this share of the upper part, and less than half
 * the width of a leg in a part of the lower body, or of the head or a raised arm at the top. Hands
 * are thinner.
 */
const cutFigure = { upper: [0, 0.5], covered: 0.2, top: 0.12, most: 12 } as const
const lowerParts = [
  [0.3, 0.4],
  [0.4, 0.5],
  [0.5, 0.6],
  [0.6, 0.7],
  [0.7, 0.8],
  [0.8, 1],
] as const
const halfWidth = { leg: 0.03, head: 0.015, hand: 0.0075 }
/** Height of a figure in its widths from which its head is at the top. */
const upright = 1.5
/** A figure of this share of the highest one's height is a person too; stances change widths. */
const personHeight = 0.5
/** Least share of a part outside other figures for the pixels inside them to be left out. */
const ownShare = 0.5

/**
 * The `figures` and `standing` people of at least this `size` with the upper part in the mask, but
 * not the legs or head, or the hands above a found face.
 */
export function cutShort(
  mask: Plane,
  {
    figures,
    standing = [],
    faces = [],
  }: { figures: readonly Box[]; standing?: readonly Box[]; faces?: readonly Box[] },
  picture: Size,
  size = personSize,
): Box[] {
  const areaOf = ({ width, height }: Box) => width * height
  const largest = Math.max(0, ...figures.map(areaOf))
  const highest = Math.max(0, ...figures.map(({ height }) => height))
  const isLarge = (figure: Box) => areaOf(figure) >= size * largest || figure.height >= personHeight * highest
  const toMask = (box: Box) => scaleBox(box, mask.width / picture.width, mask.height / picture.height)
  const isCut = (figure: Box) => {
    const others = figures.filter((other) => boxOverlap(other, figure) <= sameFigure).map(toMask)
    const covered = ([from, to]: readonly [number, number]) => {
      const part = { ...figure, y: figure.y + from * figure.height, height: (to - from) * figure.height }
      const inside = clipBox(toMask(part), mask)
      return inside ? coverageOf(mask, inside, others) : 1
    }
    const { upper } = cutFigure
    const perWidth = figure.height / figure.width
    const face = faces.find((one) => holdsFace(figure, one))
    const top = face ? Math.max(cutFigure.top, (face.y - figure.y) / figure.height) : cutFigure.top
    const least = face ? halfWidth.hand : halfWidth.head
    const isHeadless = perWidth > upright && covered([0, top]) < least * perWidth
    const isLegless = lowerParts.some((part) => covered(part) < halfWidth.leg * perWidth)
    return covered(upper) > cutFigure.covered && (isLegless || isHeadless)
  }
  return [...figures, ...standing].filter((figure) => isLarge(figure) && isCut(figure)).slice(0, cutFigure.most)
}

/** Width in pixels of a mask's soft edge, which belongs to the people inside. */
export const softEdge = 3

/**
 * True if the cut of `count` people leaves out a region as large as one of them in which the person
 * model sees a person. The mask is from {@link blendLabels}.
 */
export function leavesOutPerson(mask: Plane, count: number): boolean {
  const { width, height, data } = mask
  const near = dilate(mask, softEdge).data
  const evenOdds = 0.5 * blendedProbability
  const isLeftOut = (i: number) => (data[i] as number) > evenOdds && (near[i] as number) <= 0.5
  const { regions } = connectedRegions(width, height, isLeftOut)
  const person = (shareAbove(mask, 0.5) * data.length) / count
  return regions.some(({ area }) => area >= personSize * person)
}

/** Share of a box that the mask covers, outside the other boxes if these leave enough of it. */
function coverageOf({ width, data }: Plane, box: Box, others: readonly Box[]): number {
  const covered = { all: 0, own: 0 }
  let own = 0
  for (let y = box.y; y < box.y + box.height; y++) {
    for (let x = box.x; x < box.x + box.width; x++) {
      const value = (data[y * width + x] as number) > 0.5 ? 1 : 0
      covered.all += value
      if (others.some((other) => holdsPoint(other, x, y))) continue
      own += 1
      covered.own += value
    }
  }
  const all = box.width * box.height
  return own < ownShare * all ? covered.all / all : covered.own / own
}

/** Adds the mask of a part of the picture, whose box is in pixels of the picture. In place. */
export function addInside(mask: Plane, part: Plane, box: Box, picture: Size): void {
  const area = clipBox(scaleBox(box, mask.width / picture.width, mask.height / picture.height), mask)
  if (!area) return
  const { data } = resizePlane(part, area)
  for (let y = 0, from = 0; y < area.height; y++) {
    for (let i = (area.y + y) * mask.width + area.x, end = i + area.width; i < end; i++, from++) {
      mask.data[i] = Math.max(mask.data[i] as number, data[from] as number)
    }
  }
}

/**
 * Clears regions that touch no body, and the bodies of `others` outside `bodies`. In place; boxes
 * are in pixels of the picture.
 */
export function keepBodies(mask: Plane, bodies: readonly Box[], others: readonly Box[], picture: Size): void {
  const { width, height, data } = mask
  const painted = (boxes: readonly Box[]) => {
    const inside = new Uint8Array(data.length)
    for (const box of boxes) {
      const area = clipBox(scaleBox(box, width / picture.width, height / picture.height), mask)
      for (let y = area?.y ?? 0; area && y < area.y + area.height; y++) {
        inside.fill(1, y * width + area.x, y * width + area.x + area.width)
      }
    }
    return inside
  }
  const [own, away] = [painted(bodies), painted(others)]
  for (let i = 0; i < data.length; i++) if (away[i] === 1 && own[i] === 0) data[i] = 0
  const { labels, regions } = connectedRegions(width, height, (i) => (data[i] as number) > 0.05)
  const kept = new Uint8Array(regions.length + 1)
  for (let i = 0; i < data.length; i++) if (own[i] === 1 && (data[i] as number) > 0.5) kept[labels[i] as number] = 1
  for (let i = 0; i < data.length; i++) if (kept[labels[i] as number] === 0) data[i] = 0
}
