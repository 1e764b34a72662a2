import { EngineError } from '#engine/error.ts'
import type { EngineHost, Face, MeshPoints } from '#engine/host.ts'
import {
  composeSimilarities,
  connectedRegions,
  cornersOf,
  inverse,
  lowestRowAt,
  type Similarity,
  similarityTo,
  transform,
} from '#engine/image/geometry.ts'
import { createPlane, type Picture, type Plane, type Size } from '#engine/image/picture.ts'
import { channelPlane } from '#engine/image/pixels.ts'
import { boxBlur } from '#engine/image/plane.ts'
import { resamplePicture } from '#engine/image/resample-similarity.ts'
import {
  findRotatedFaces,
  type Head,
  type HeadFrame,
  headCoordinates,
  headFrame,
  matteCoverageOfFace,
  measureHead,
  meshArea,
  moveFace,
  refineFaceMesh,
} from '#engine/tasks/faces/index.ts'
import { mayKeepBackground } from '#engine/tasks/headshot/index.ts'
import { cutOut, subjectMatte } from '#engine/tasks/subject-matte/index.ts'
import type { Box } from '#shared/media.ts'
import type { PortraitFacts } from './frame.ts'

/** Extent of the upright picture around the eyes, in eyes-to-chin distances. */
const uprightExtent = { aside: 3.4, above: 2.8, below: 5 }
/** Start of the shoulders beside the eyes, and the least extent below these. */
const shoulderOffset = 1.2
const minBelowShoulders = 1.2
/** Largest useful eyes-to-chin pixels, and pixels of the whole. */
const maxEyesToChin = 320
const maxPixels = 3_000_000
/** Faces smaller than this share of the largest one are bystanders. */
const bystanderShare = 0.42

/** `others` have a similar size. */
export async function findPerson(source: Picture, host: EngineHost): Promise<{ face?: Face; others: Face[] }> {
  const [face, ...rest] = (await findRotatedFaces(source, host)).toSorted((a, b) => widthOf(b) - widthOf(a))
  if (!face) return { others: [] }
  const others = rest.filter((other) => widthOf(other) > bystanderShare * widthOf(face))
  return { face: others.length > 0 ? face : await refineFaceMesh(source, face, host), others }
}

const widthOf = ({ points }: Face): number => headFrame(points).width

/** `points` and `box` are in the pixels of `picture`. */
export interface Upright {
  /** Of the photograph. */
  source: Size
  picture: Picture
  /** From the source's pixels to the upright picture's. */
  view: Similarity
  points: MeshPoints
  box: Box
}

export function turnUpright(
  source: Picture,
  { points, box }: Pick<Face, 'points' | 'box'>,
  finest = maxEyesToChin,
): Upright {
  const { centre, roll, eyesToChin } = headFrame(points)
  const turn = { scale: 1, angle: -roll, x: 0, y: 0 }
  const eyes = transform(turn, centre)
  const corners = cornersOf(source, turn)
  const span = (axis: 'x' | 'y', before: number, after: number) => {
    const values = corners.map((corner) => corner[axis])
    const [from, to] = [eyes[axis] - before * eyesToChin, eyes[axis] + after * eyesToChin]
    return [Math.max(from, Math.min(...values)), Math.min(to, Math.max(...values))] as const
  }
  const [left, right] = span('x', uprightExtent.aside, uprightExtent.aside)
  const [top, end] = span('y', uprightExtent.above, uprightExtent.below)
  // In a slanted picture nothing is visible below its higher corner.
  const ends = [-shoulderOffset, shoulderOffset].map((aside) => lowestRowAt(source, turn, eyes.x + aside * eyesToChin))
  const bottom = Math.min(end, ...ends.filter((row) => row > eyes.y + minBelowShoulders * eyesToChin))
  const scale = Math.min(1, finest / eyesToChin, Math.sqrt(maxPixels / ((right - left) * (bottom - top))))
  const view = { scale, angle: -roll, x: -left * scale, y: -top * scale }
  const width = Math.max(16, Math.round((right - left) * scale))
  const height = Math.max(16, Math.round((bottom - top) * scale))
  const picture = resamplePicture(source, view, width, height)
  return { source: { width: source.width, height: source.height }, picture, view, ...moveFace({ points, box }, view) }
}

/** A matte that covers less of a face belongs to another person. */
const minFaceCoverage = 0.5

/** Colours along the edge are cleaned. */
export async function cutPerson(
  upright: Upright,
  host: EngineHost,
): Promise<{ person: Picture; head: Head; ends: BodyEnds; keepsBackground: boolean }> {
  const { picture, points, box } = upright
  const found = await subjectMatte(picture, { subject: 'person', faces: [box] }, host)
  if (matteCoverageOfFace(points, found) < minFaceCoverage) throw new EngineError('engine.person_unclear')
  const matte = keepFaceRegion(found, points)
  // A crown beyond the photograph shows that the head is cut, so it is measured first.
  const head = measureHead(points, matte)
  if (!(head.eyesToChin > 0)) throw new EngineError('engine.no_face')
  clearOutsideAbove(matte, upright, head)
  const keepsBackground = await mayKeepBackground(picture, matte, head, host)
  return { person: await cutOut(picture, matte, host), head, ends: findBodyEnds(matte, upright, head), keepsBackground }
}

/** Clears repeated edges of the photograph above the eyes, in place; cuts guard what is below. */
function clearOutsideAbove({ width, data }: Plane, upright: Upright, head: HeadFrame): void {
  const [isBeyond, coordinates] = [beyondPhoto(upright), headCoordinates(width, head)]
  for (let i = 0; i < data.length; i++)
    if (coordinates(i).below < 0 && isBeyond(i % width, Math.floor(i / width))) data[i] = 0
}

function beyondPhoto({ source, view }: Upright) {
  const back = inverse(view)
  return (x: number, y: number): boolean => {
    const at = transform(back, { x: x + 0.5, y: y + 0.5 })
    return at.x < 0 || at.y < 0 || at.x > source.width || at.y > source.height
  }
}

/** Edges of the photograph that cut the person, in pixels of the upright picture. */
interface BodyEnds {
  /** Below the chin, and at the lower edge below the eyes; see `PortraitFacts`. */
  cuts: number[]
  /** Hair or a headscarf beside or above the face reaches the edge. */
  headTouches: boolean
}

/** Pixels from the edge in which a matte may already fade. */
const edgeReach = 2
const maxCuts = 160

export function findBodyEnds({ width, height, data }: Plane, upright: Upright, head: HeadFrame): BodyEnds {
  const isBeyond = beyondPhoto(upright)
  const isOutside = (x: number, y: number) => x < 0 || y < 0 || x >= width || y >= height || isBeyond(x, y)
  const points: number[] = []
  let headTouches = false
  const coordinates = headCoordinates(width, head)
  for (let i = 0; i < data.length; i++) {
    if ((data[i] as number) < 0.5) continue
    const [x, y] = [i % width, Math.floor(i / width)]
    const isEdge = [-edgeReach, edgeReach].some((step) => isOutside(x + step, y) || isOutside(x, y + step))
    if (!isEdge || isOutside(x, y)) continue
    const { below } = coordinates(i)
    // The picture may also end within the face.
    if (below > 1 || (below > 0 && isOutside(x, y + edgeReach))) points.push(x, y)
    else headTouches = true
  }
  const stride = Math.max(1, Math.ceil(points.length / 2 / maxCuts))
  return { cuts: points.filter((_, i) => Math.floor(i / 2) % stride === 0), headTouches }
}

/**
 * Levels from which the old background is visible at the edge of the head. Set on 18 portraits: 0
 * to 14 after cleaning, 18 or more in 14 of them without it.
 */
const visibleAtEdge = 18

export const showsOldBackground = (person: Picture, before: Picture, head: Head, colour: string): boolean =>
  oldBackgroundAtEdge(person, before, head, colour) > visibleAtEdge

/** Alpha of the edge of hair, and from which a pixel is all hair, and up to which none. */
const edgeAlpha = { from: 0.3, to: 0.95, hair: 0.97, wall: 0.03 } as const
/** In distances from the eyes to the chin: rows below the eyes, and radius of usual colours. */
const edgeArea = { below: 0.8, radius: 0.12 } as const

/**
 * Returns the shift of colours at the edge of the head towards the old background, beyond the usual
 * variation of hair, in 8-bit levels as seen over the new `colour`.
 */
function oldBackgroundAtEdge(person: Picture, before: Picture, head: Head, colour: string): number {
  const { width, height, data } = person
  const radius = Math.max(2, Math.round(edgeArea.radius * head.eyesToChin))
  const shares = (part: (alpha: number) => boolean) => {
    const plane = createPlane(width, height)
    for (let i = 0; i < plane.data.length; i++) plane.data[i] = part((data[4 * i + 3] as number) / 255) ? 1 : 0
    return plane
  }
  const hair = shares((alpha) => alpha > edgeAlpha.hair)
  const wall = shares((alpha) => alpha < edgeAlpha.wall)
  const [usualHair, usualWall] = [usualColours(person, hair, radius), usualColours(before, wall, radius)]
  const wanted = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
  const place = headCoordinates(width, head)
  const [edge, inside] = [
    { sum: 0, count: 0 },
    { sum: 0, count: 0 },
  ]
  for (let i = 0; i < width * height; i++) {
    const alpha = (data[4 * i + 3] as number) / 255
    if (alpha < edgeAlpha.from || place(i).below > edgeArea.below) continue
    const [own, other] = [usualHair(i), usualWall(i)]
    if (!own || !other) continue
    const apart = other.map((value, c) => value - (own[c] as number))
    const length = Math.hypot(...apart) || 1
    const shift = apart.reduce((sum, value, c) => sum + value * ((data[4 * i + c] as number) - (own[c] as number)), 0)
    const seen = Math.min(1, Math.hypot(...other.map((value, c) => value - (wanted[c] as number))) / 100)
    const part = alpha > edgeAlpha.hair ? inside : alpha < edgeAlpha.to ? edge : undefined
    if (!part) continue
    part.count++
    part.sum += seen * alpha * Math.min(length, Math.max(0, shift / length))
  }
  return Math.max(0, edge.sum / Math.max(1, edge.count) - inside.sum / Math.max(1, inside.count))
}

/** Mean colour of the pixels of `where` around one; undefined where there are none. */
function usualColours(picture: Picture, where: Plane, radius: number): (i: number) => number[] | undefined {
  const share = boxBlur(where, radius)
  const sums = [0, 1, 2].map((c) => {
    const values = channelPlane(picture, c)
    return boxBlur({ ...values, data: values.data.map((value, i) => value * (where.data[i] as number)) }, radius)
  })
  return (i) => {
    const all = share.data[i] as number
    return all > 0.02 ? sums.map(({ data }) => (data[i] as number) / all) : undefined
  }
}

/** Removes parts that are not connected to the face: they belong to other persons. */
function keepFaceRegion(matte: Plane, points: MeshPoints): Plane {
  const { width, height, data } = matte
  const face = meshArea(matte, points, 'face')
  for (let i = 0; i < data.length; i++) if (face.data[i] === 1) data[i] = 1
  const { labels, regions } = connectedRegions(width, height, (i) => (data[i] as number) > 0.05)
  if (regions.length < 2) return matte
  const own = new Set<number>()
  for (let i = 0; i < data.length; i++) if (face.data[i] === 1) own.add(labels[i] as number)
  for (let i = 0; i < data.length; i++) if (!own.has(labels[i] as number)) data[i] = 0
  return matte
}

export function moveCuts(cuts: readonly number[], by: Similarity): number[] {
  const moved: number[] = []
  for (let i = 0; i < cuts.length; i += 2) {
    const { x, y } = transform(by, { x: cuts[i] as number, y: cuts[i + 1] as number })
    moved.push(round(x), round(y))
  }
  return moved
}

/** In the pixels in which the head was measured. */
export function portraitFacts(size: Size, head: Head, cuts?: number[]): PortraitFacts {
  const { centre, roll, eyesToChin, height } = head
  return {
    width: size.width,
    height: size.height,
    centre: { x: round(centre.x), y: round(centre.y) },
    roll: Math.round(roll * 1e5) / 1e5,
    eyesToChin: round(eyesToChin),
    eyesToCrown: round(height - eyesToChin),
    ...(cuts && { cuts }),
  }
}

const round = (value: number): number => Math.round(value * 100) / 100

/** Usual height of a whole head above the eyes, in distances from the eyes to the chin. */
const wholeHead = 1.22

/** True if the picture ends within the head, not only at the top of a headscarf or of full hair. */
export function isHeadCut({ top, height, eyesToChin }: Head): boolean {
  return top === 'cut' && height - eyesToChin < wholeHead * eyesToChin
}

/** Shows backgrounds before the start; the device has the photograph's pixels itself. */
export type PortraitSample = {
  placement: { scale: number; angle: number; x: number; y: number }
  width: number
  height: number
  /** A byte for each pixel, base64. */
  alpha: string
  portrait: PortraitFacts
}

const size = { width: 72, height: 88 }
/** Eyes, and pixels from them to the chin. */
const framing = { eyes: { x: 36, y: 35 }, eyesToChin: 16.4 }

export function sampleOf({ view }: Upright, matte: Plane, head: Head, cuts: readonly number[]): PortraitSample {
  const scale = framing.eyesToChin / head.eyesToChin
  const reduce: Similarity = similarityTo(head.centre, framing.eyes, 0, scale)
  const { data } = resamplePicture(greyOf(matte), reduce, size.width, size.height)
  const bytes = Uint8Array.from({ length: size.width * size.height }, (_, i) => {
    const alpha = (data[4 * i] as number) / 255
    return Math.round(255 * Math.min(1, Math.max(0, (alpha - 0.2) / 0.6)))
  })
  const small = { ...head, roll: 0, centre: framing.eyes, eyesToChin: framing.eyesToChin, height: head.height * scale }
  return {
    placement: composeSimilarities(view, reduce),
    ...size,
    alpha: btoa(String.fromCharCode(...bytes)),
    portrait: portraitFacts(size, small, moveCuts(cuts, reduce)),
  }
}

function greyOf({ width, height, data }: Plane): Picture {
  const grey = new Uint8ClampedArray(4 * data.length)
  for (let i = 0; i < data.length; i++)
    grey.fill(255 * (data[i] as number), 4 * i, 4 * i + 3).fill(255, 4 * i + 3, 4 * i + 4)
  return { width, height, data: grey }
}
