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
  similarityTo,
  transform,
  wholeOf,
} from '#engine/image/geometry.ts'
import { borderDistance, dilate } from '#engine/image/morphology.ts'
import { ramp, smoothstep } from '#engine/image/numbers.ts'
import { createPlane, type Picture, type Plane, type Size } from '#engine/image/picture.ts'
import { alphaOf, cropPicture, emptyPicture, pastePicture } from '#engine/image/pixels.ts'
import { boxBlur, feather } from '#engine/image/plane.ts'
import type { FaceLabels } from '#engine/task-types.ts'
import { type HeadFrame, headCoordinates, headFrame } from '#engine/tasks/faces/head.ts'
import { meshBox, moveMesh } from '#engine/tasks/faces/mesh-geometry.ts'
import { faceRegion, outlineOf } from '#engine/tasks/faces/regions.ts'
import { platforms } from '../../platforms.ts'
import { detectLongHair, hairLowerLimit } from './hair.ts'
import { body, headLikeness, isBody, sideOfSeam } from './head-likeness.ts'

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
  /** Lower end of hair that stays above the chin; lower down its colours are the neck's shadow. */
  short: 0.85,
  /** Radius to which the line around jaw and neck is rounded. */
  round: 0.1,
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
  const side = sideOfSeam(picture, own, people, matte)
  const isOwn = (i: number) => side === undefined || (side.data[i] as number) > 0.5
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
      (hair.long.data[i] as number) *
      fadeBeyond(below, hair.falls ? cut.hair : cut.short, 0.25) *
      fadeBeyond(beside, cut.aside - 0.1, 0.1)
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
  const keep = { ...like, data: like.data.map((value, i) => Math.max(value, jaw.data[i] as number)) }
  // Rounds the corners and fills the slit between the jaw and what stays beside it.
  const line = feather(keep, cut.round * frame.eyesToChin)
  const head = createPlane(width, height)
  for (let i = 0; i < matte.data.length; i++) {
    if (near.data[i] === 0) continue
    const rounded = smoothstep(0.35, 0.65, line.data[i] as number)
    const share = ramp(0.1, 0.4, place(i).below)
    const kept = (keep.data[i] as number) * (1 - share) + rounded * share
    head.data[i] = kept * (side?.data[i] ?? 1)
  }
  return largestPart(head, matte, frame)
}

/** Share of the face's outline that is certainly the person, and the softness of its edge. */
const solidFace = { share: 0.92, soft: 0.03 } as const

/** Closes holes of a matte in a face, such as a burnt cheek before a white wall. In place. */
export function fillFace(matte: Plane, points: MeshPoints): void {
  const { centre, eyesToChin } = headFrame(points)
  const box = clipBox(growBox(meshBox(points), 2), matte)
  if (!box) return
  const shrunk = similarityTo(centre, { x: centre.x - box.x, y: centre.y - box.y }, 0, solidFace.share)
  const face = faceRegion(box, [moveMesh(points, shrunk)], 1, solidFace.soft * eyesToChin)
  for (let y = 0, from = 0; y < box.height; y++) {
    for (let x = 0, at = (box.y + y) * matte.width + box.x; x < box.width; x++, at++, from++) {
      matte.data[at] = Math.max(matte.data[at] as number, face.data[from] as number)
    }
  }
}

/** 1 in the oval around the eyes' middle, 0 outside. */
const insideOval = (
  beside: number,
  below: number,
  { aside, below: depth, power }: typeof cut.scarf | typeof cut.falling,
) => fadeBeyond(((beside / aside) ** power + Math.abs(below / depth) ** power) ** (1 / power), 1, 0.05)

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
