import type { EngineHost, MeshPoints } from '#engine/host.ts'
import { solidPicture } from '#engine/image/composite.ts'
import {
  boundsOf,
  clipBox,
  connectedTo,
  fillPolygon,
  growBox,
  type Point,
  type Similarity,
  transform,
  wholeOf,
} from '#engine/image/geometry.ts'
import { borderDistance, dilate } from '#engine/image/morphology.ts'
import { ramp, smoothstep } from '#engine/image/numbers.ts'
import { createPlane, type Picture, type Plane, type Size } from '#engine/image/picture.ts'
import { alphaOf, cropPicture, emptyPicture, fitArea, pastePicture } from '#engine/image/pixels.ts'
import { boxBlur, feather, resizeSmooth, shrink } from '#engine/image/plane.ts'
import { resamplePart } from '#engine/image/resample.ts'
import type { FaceLabels } from '#engine/task-types.ts'
import { type HeadFrame, headCoordinates, headFrame } from '#engine/tasks/faces/head.ts'
import { outlineOf } from '#engine/tasks/faces/regions.ts'
import { segment } from '#engine/tasks/subject-matte/segment.ts'
import { platforms } from '../../platforms.ts'
import { detectLongHair, hairLowerLimit } from './hair.ts'

/** In pixels from the eyes to the chin: enough to compute a head's share. */
export const sufficientFaceSize = 120

/**
 * Lengths in distances from the eyes to the chin, from the line of the eyes along the head's axes.
 */
const cut = {
  neck: 0.13,
  soft: 0.025,
  /** Beside the jaw, everything similar to the head stays down to this row, in an oval. */
  beside: 0.62,
  hair: hairLowerLimit,
  /** Half width and depth of the oval in which a scarf around the chin is cut. */
  scarf: { aside: 1.3, below: 1.5, power: 2 },
  /** The same for hair that falls past the chin, below the eyes only; a power below 2 is leaner. */
  falling: { aside: 1.75, below: 1.5, power: 1.8 },
  aside: 1.75,
  above: 2.6,
} as const

/**
 * Share of a matte that is the head with hair and headdress, 0 to 1: everything above the jaw, a
 * short soft line of neck; a scarf, or hair that falls past the chin, in an oval with the neck.
 * Pixels nearer to another of `people` belong to that face; known `parts` decide. Values are in
 * pixels of the matte, which has the picture's size; a face of {@link sufficientFaceSize} is
 * detailed enough.
 */
export function headMatte(
  picture: Picture,
  matte: Plane,
  own: MeshPoints,
  people: readonly MeshPoints[],
  parts?: Int8Array,
): Plane {
  const { width, height } = matte
  const frame = headFrame(own)
  const others = people.filter((points) => points !== own).map(headFrame)
  const jaw = jawRegion(matte, own, frame)
  const place = headCoordinates(width, frame)
  const bodies = others.map((other) => headCoordinates(width, other))
  const onOtherBody = (i: number) => bodies.some((at) => isBody(at(i)))
  const isOwn = (i: number) => nearness((i % width) + 0.5, Math.floor(i / width) + 0.5, frame, others) > 0.5
  const hair = detectLongHair(picture, matte, own, frame, (i) => onOtherBody(i) || !isOwn(i))
  // The cut itself is jagged; the matte draws the edge.
  const alike = boxBlur(dilate(headLikeness(picture, matte, hair.long, own, frame, others), 4), 2)
  // A finer matte may extend further.
  const near = dilate(matte, 3)
  const oval = hair.covered ? cut.scarf : hair.falls && !parts ? cut.falling : undefined
  const looks = createPlane(width, height)
  for (let i = 0; i < matte.data.length; i++) {
    if (near.data[i] === 0) continue
    const { below, beside } = place(i)
    if (below > cut.hair + 0.25) continue
    const long =
      (hair.long.data[i] as number) * fadeBeyond(below, cut.hair, 0.25) * fadeBeyond(beside, cut.aside - 0.1, 0.1)
    const round = fadeBeyond(Math.hypot(beside / cut.aside, below / (below > 0 ? cut.beside : cut.above)), 0.9, 0.15)
    const like = alike.data[i] as number
    const inside = oval ? insideOval(beside, below, oval) : 0
    if (oval === cut.falling) {
      // Only arms above the head and other people's bodies beside the hair are told apart.
      const isOther = onOtherBody(i) && beside > body.aside
      const own = isOther ? like * fadeBeyond(beside, body.aside, 0.15) : Math.max(like, fadeBeyond(-below, 0.3, 0.6))
      looks.data[i] = own * (below > 0 ? inside : round)
    } else looks.data[i] = Math.max(Math.max(round, long) * like, inside)
  }
  if (parts) for (const [i, part] of parts.entries()) if (part !== unknownPart) looks.data[i] = part
  const like = parts ? feather(looks, cut.soft * frame.eyesToChin) : looks
  const head = createPlane(width, height)
  for (let i = 0; i < matte.data.length; i++) {
    const keep = Math.max(jaw.data[i] as number, like.data[i] as number)
    if (near.data[i] === 0 || keep === 0) continue
    head.data[i] = keep * nearness((i % width) + 0.5, Math.floor(i / width) + 0.5, frame, others)
  }
  return largestPart(head, matte, frame)
}

/** 1 in the oval around the eyes' middle, 0 outside. */
const insideOval = (
  beside: number,
  below: number,
  { aside, below: depth, power }: typeof cut.scarf | typeof cut.falling,
) => fadeBeyond(((beside / aside) ** power + Math.abs(below / depth) ** power) ** (1 / power), 1, 0.05)

/** Body of another person, below the chin; `aside` is the minimum distance from this head. */
const body = { below: 1, beside: 2.6, aside: 0.85 } as const

const isBody = ({ below, beside }: { below: number; beside: number }) => below > body.below && beside < body.beside

const fadeBeyond = (value: number, limit: number, over: number) => smoothstep(limit + over, limit, value)

function jawRegion(size: Plane, points: MeshPoints, { centre, down, eyesToChin: unit }: HeadFrame): Plane {
  const region = createPlane(size.width, size.height)
  const outline = outlineOf(points, 'face').map(({ x, y }): Point => {
    const [dx, dy] = [x - centre.x, y - centre.y]
    const below = dx * down.x + dy * down.y
    // More neck stays below lower points of the jaw.
    const more = 1 + (cut.neck * unit * Math.min(Math.max(below / unit, 0), 1)) / Math.hypot(dx, dy)
    return { x: centre.x + dx * more, y: centre.y + dy * more }
  })
  fillPolygon(region, outline)
  return feather(region, cut.soft * unit)
}

/** {@link headDistance} that is certainly the head, distance of even odds, and the slope there. */
const headReach = { sure: 1, even: 1.35, steep: 7 } as const
/** Probability that areas above a head, or long areas in its hair's colours, belong to it. */
const probability = { above: 0.9, long: 0.8 } as const
/** In pixels. */
const cutArea = 220 * 220

/** 1 for the head, 0 for e.g. an arm; one minimum cut over position, colours and edges. */
function headLikeness(
  picture: Picture,
  matte: Plane,
  long: Plane,
  points: MeshPoints,
  frame: HeadFrame,
  others: readonly HeadFrame[],
): Plane {
  const { width, height } = matte
  const face = createPlane(width, height)
  fillPolygon(face, outlineOf(points, 'face'))
  const place = headCoordinates(width, frame)
  const bodies = others.map((other) => headCoordinates(width, other))
  const aside = (0.62 * frame.width) / frame.eyesToChin
  const belief = createPlane(width, height)
  for (let i = 0; i < matte.data.length; i++) {
    if (matte.data[i] === 0) continue
    const [x, y] = [(i % width) + 0.5, Math.floor(i / width) + 0.5]
    const [{ below, beside }, away] = [place(i), headDistance(x, y, frame)]
    const onOtherFace = others.some((other) => headDistance(x, y, other) < 0.8)
    const onOtherBody = onOtherFace || bodies.some((at) => isBody(at(i)))
    let chance = 1 / (1 + Math.exp(headReach.steep * (away - headReach.even)))
    if (face.data[i] === 1 || (away < headReach.sure && !onOtherFace)) chance = 1
    else if (onOtherBody && beside > body.aside) chance = 0
    else if (!onOtherBody && below < 0 && beside < aside) chance = probability.above
    else if (!onOtherBody && (long.data[i] as number) > 0.5) chance = Math.max(chance, probability.long)
    belief.data[i] = Math.min(chance, matte.data[i] as number)
  }
  const size = fitArea(matte, cutArea)
  const small = resamplePart(picture, { x: 0, y: 0, width, height }, size.width, size.height)
  return resizeSmooth(segment(small, shrink(belief, size.width, size.height)), width, height)
}

/** 1 where this head is the nearest relative to its size, 0 elsewhere, with a narrow seam. */
function nearness(x: number, y: number, own: HeadFrame, others: readonly HeadFrame[]): number {
  if (others.length === 0) return 1
  const least = Math.min(...others.map((other) => headDistance(x, y, other)))
  return ramp(-0.03, 0.03, least - headDistance(x, y, own))
}

function headDistance(x: number, y: number, { centre, down, eyesToChin: unit, width }: HeadFrame): number {
  const [dx, dy] = [x - centre.x, y - centre.y]
  const below = (dx * down.x + dy * down.y) / (1.15 * unit)
  const beside = (dx * down.y - dy * down.x) / (0.62 * width)
  return Math.hypot(below + 0.05, beside)
}

/** Drops areas not connected to the face: hands, other people's hair, specks. */
function largestPart(head: Plane, matte: Plane, { centre }: HeadFrame): Plane {
  const { width, data } = head
  const middle = Math.round(centre.y) * width + Math.round(centre.x)
  const seen = connectedTo(head, [middle], (i) => (data[i] as number) * (matte.data[i] as number) >= 0.04)
  const kept = dilate({ ...head, data: Float32Array.from(seen) }, 1)
  for (let i = 0; i < data.length; i++) if (kept.data[i] === 0) data[i] = 0
  return head
}

/** CelebAMask-HQ's classes for the background, and for neck, necklace and clothes. */
const classes = { behind: 0, others: [14, 15, 16] }
const unknownPart = -1

/**
 * Parts from face parsing: 1 for the head, 0 for other parts of a person, {@link unknownPart} for
 * the background, which shows through hair. `at` maps the pixels to the labels'.
 */
export function headPartsFromLabels({ width, height, data }: FaceLabels, at: Similarity, size: Size): Int8Array {
  const parts = new Int8Array(size.width * size.height).fill(unknownPart)
  for (let i = 0; i < parts.length; i++) {
    const { x, y } = transform(at, { x: (i % size.width) + 0.5, y: Math.floor(i / size.width) + 0.5 })
    if (x < 0 || y < 0 || x >= width || y >= height) continue
    const label = data[Math.floor(y) * width + Math.floor(x)] as number
    if (label !== classes.behind) parts[i] = classes.others.includes(label) ? 0 : 1
  }
  return parts
}

const { width: side, maxBytes } = platforms.sticker
/** The border's width as a share of the side. */
const border = 0.022
export const stickerEncoding = { format: 'webp', maxBytes } as const

/** Crops a cut-out, with an even white border, to a transparent square; undefined when empty. */
export async function createSticker(cutOut: Picture, host: EngineHost): Promise<Picture | undefined> {
  const alpha = alphaOf(cutOut)
  const bounds = alpha ? boundsOf(alpha, 0.5) : wholeOf(cutOut)
  const box = bounds && clipBox(growBox(bounds, 1), cutOut)
  if (!box) return undefined
  const rim = Math.max(2, Math.round(border * side))
  const room = side - 2 * (rim + 2)
  const scale = Math.min(room / box.width, room / box.height)
  const width = Math.max(1, Math.round(box.width * scale))
  const height = Math.max(1, Math.round(box.height * scale))
  const figure = await host.resize(cropPicture(cutOut, box), width, height)
  const [left, top] = [Math.floor((side - width) / 2), Math.floor((side - height) / 2)]
  const picture = emptyPicture(side, side)
  pastePicture(picture, figure, left, top)
  return addBorder(picture, rim)
}

const solid = 96 / 255

/**
 * Adds a border of `rim` pixels in a colour such as `#ffffff`, with hair smoothed over. The figure
 * needs at least that much transparent margin.
 */
export function addBorder(cutOut: Picture, rim: number, colour = '#ffffff'): Picture {
  const { width, height } = cutOut
  const shape = createPlane(width, height)
  for (let i = 0; i < shape.data.length; i++) shape.data[i] = (cutOut.data[4 * i + 3] as number) / 255 > solid ? 1 : 0
  const signed = borderDistance(shape)
  for (let i = 0; i < signed.length; i++) if (shape.data[i] === 1) signed[i] = -(signed[i] as number)
  const away = boxBlur({ width, height, data: signed }, Math.max(1, Math.round(rim / 4)))
  const border = solidPicture(width, height, colour)
  for (let i = 0; i < shape.data.length; i++) {
    const own = (cutOut.data[4 * i + 3] as number) / 255
    const level = Math.min(1, Math.max(0, rim + 0.5 - (away.data[i] as number)))
    const alpha = own + level * (1 - own)
    for (let c = 4 * i; c < 4 * i + 3; c++) {
      const under = border.data[c] as number
      border.data[c] = alpha > 0 ? under + (own / alpha) * ((cutOut.data[c] as number) - under) : under
    }
    border.data[4 * i + 3] = 255 * alpha
  }
  return border
}
