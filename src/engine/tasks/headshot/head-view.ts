import { EngineError } from '#engine/error.ts'
import type { EngineHost, Face, MeshPoints } from '#engine/host.ts'
import {
  clipBox,
  composeSimilarities,
  inverse,
  type Similarity,
  scaleBox,
  similarityTo,
  transform,
  wholeOf,
} from '#engine/image/geometry.ts'
import { createPlane, type Picture, type Plane, type Size } from '#engine/image/picture.ts'
import { cropPicture } from '#engine/image/pixels.ts'
import { resamplePicture } from '#engine/image/resample-similarity.ts'
import { type HeadFrame, headCoordinates, headFrame, measureHead } from '#engine/tasks/faces/head.ts'
import { matteCoverageOfFace, moveFace, moveMesh, placeMesh } from '#engine/tasks/faces/mesh-geometry.ts'
import { findSalience } from '#engine/tasks/subject-matte/find-object.ts'
import { cutOut } from '#engine/tasks/subject-matte/foreground.ts'
import { removeIslands, removeRemnants } from '#engine/tasks/subject-matte/remnants.ts'
import { subjectMatte } from '#engine/tasks/subject-matte/subject-matte.ts'
import type { Box } from '#shared/media.ts'
import { mayKeepBackground } from './logos.ts'
import { removeNeighbours } from './neighbours.ts'

/** Largest height of a head in the view, in pixels, and largest enlargement of smaller heads. */
const headHeight = 640
const maxEnlargement = 1.6
/** The view's size in heights of the head, and the row of the eyes in it. */
const viewSize = { width: 2.24, height: 2.5, eyes: 1.05 }
/** Extent of the crop of the photograph, in heights of the head around its centre. */
const cropExtent = { side: 1.9, above: 1.2, below: 2.2 }

/** An upright cut-out of head and shoulders, centred in a picture larger than any frame. */
export interface HeadView {
  picture: Picture
  mesh: MeshPoints
  /**
   * Share of body that the photograph cuts off, 0 to 1, in blocks of {@link missingBlockSize}
   * pixels: no frame may show it.
   */
  missing: Plane
  /** Rows of the eyes, crown and chin, and column of the head's centre, in pixels. */
  eyes: number
  crown: number
  chin: number
  centre: number
  /** Maps the photograph's pixels to the view's. */
  place: Similarity
}

/** `remnants`: parts of the old background may be left. `bodiless`: nothing below the head. */
type FoundView = HeadView & { remnants: boolean; bodiless: boolean }

/**
 * Cuts a person out and turns the head upright. The crop ends halfway to the faces `others`; the
 * body beyond counts as missing. Throws `engine.person_unclear` if the person cannot be separated.
 */
export async function headView(
  picture: Picture,
  face: Face,
  others: readonly Face[],
  host: EngineHost,
): Promise<FoundView> {
  const { roll, height } = measureHead(face.points)
  const turned = rotateToUpright(picture, roll, Math.min(1, headHeight / height))
  if (!turned) return viewOf(picture, face, others, host)
  const { place } = turned
  const rest = others.map((other) => moveFace(other, place))
  const view = await viewOf(turned.picture, moveFace(face, place), rest, host)
  return { ...view, place: composeSimilarities(place, view.place) }
}

/** Shares of the crop tried in turn: smaller crops contain fewer misleading people. */
const cropShares = [1, 0.55]
/** A matte covering less of the face than this is of another person. */
const minFaceShare = 0.7

/** Like `headView`, for a head tilted by less than an eighth of a turn. */
async function viewOf(picture: Picture, face: Face, others: readonly Face[], host: EngineHost): Promise<FoundView> {
  const rough = measureHead(face.points)
  for (const near of cropShares) {
    const view = await viewIn(personBox(rough, near * rough.height, others, picture), picture, face, others, host)
    if (view) return view
  }
  throw new EngineError('engine.person_unclear')
}

async function viewIn(
  box: Box,
  picture: Picture,
  face: Face,
  others: readonly Face[],
  host: EngineHost,
): Promise<FoundView | undefined> {
  const rough = measureHead(face.points)
  // A resolution above the view's would only cost time and memory.
  const reduction = Math.min(1, headHeight / rough.height)
  const size = { width: Math.round(box.width * reduction), height: Math.round(box.height * reduction) }
  const part = await host.resize(cropPicture(picture, box), size.width, size.height)
  const faces = [face, ...others].flatMap(({ box: seen }) => facesIn(box, reduction, seen))
  const salience = await findSalience(part, host)
  const matte = await subjectMatte(part, { subject: 'person', faces, salience }, host)
  const mesh = placeMesh(face.points, box.x, box.y, reduction)
  if (matteCoverageOfFace(mesh, matte) < minFaceShare) return undefined
  const neighbours = others.map(({ points }) => points)
  const beside =
    others.length > 0 && (await removeNeighbours({ picture, box, part, matte }, face.points, neighbours, host))
  const points = mesh.map(([x, y]) => ({ x, y }))
  const left = removeRemnants(matte, salience, measureHead(mesh, matte).height, points)
  const head = measureHead(mesh, matte)
  removeIslands(matte, head.height)
  const kept = await mayKeepBackground(part, matte, head, host)
  const cut = await cutOut(part, matte, host)
  const scale = Math.min(maxEnlargement, headHeight / head.height)
  const unit = head.height * scale
  const [width, height] = [Math.round(viewSize.width * unit), Math.round(viewSize.height * unit)]
  const place = similarityTo(head.centre, { x: width / 2, y: viewSize.eyes * unit }, -head.roll, scale)
  const view = resamplePicture(cut, place, width, height)
  const eyes = viewSize.eyes * unit
  const chin = eyes + head.eyesToChin * scale
  const missing = clearOutside(view, inverse(place), part, chin)
  return {
    picture: view,
    mesh: moveMesh(mesh, place),
    missing,
    eyes,
    crown: transform(place, head.crown).y,
    chin,
    centre: width / 2,
    remnants: beside || left || kept,
    bodiless: lacksBody(matte, head),
    place: composeSimilarities({ scale: reduction, angle: 0, x: -box.x * reduction, y: -box.y * reduction }, place),
  }
}

/**
 * The lowest rows by which a body is known: their end below the eyes, their height and the least
 * end, in distances from the eyes to the chin, and the least share that the matte covers.
 */
const bodyRows = { end: 2.6, height: 0.2, least: 1.2, covered: 0.6 }

/** True if the photograph goes on below the head, and the matte does not. */
function lacksBody(matte: Plane, head: HeadFrame): boolean {
  const end = Math.min(bodyRows.end, (matte.height - head.centre.y) / head.eyesToChin)
  if (end < bodyRows.least) return false
  const place = headCoordinates(matte.width, head)
  let [all, covered] = [0, 0]
  for (let i = 0; i < matte.data.length; i++) {
    const { below, beside } = place(i)
    if (below < end - bodyRows.height || below > end || beside > end / 2) continue
    all++
    covered += matte.data[i] as number
  }
  return covered < bodyRows.covered * all
}

function facesIn(part: Box, scale: number, { x, y, width, height }: Box): Box[] {
  const [across, down] = [x + width / 2 - part.x, y + height / 2 - part.y]
  if (across < 0 || down < 0 || across > part.width || down > part.height) return []
  return [scaleBox({ x: x - part.x, y: y - part.y, width, height }, scale, scale)]
}

/** In pixels of the view. */
const missingBlockSize = 4

/**
 * Clears pixels outside the photograph, and returns the body's share among them. Repeated edges
 * stay below the chin and the photograph: they continue a body where no frame avoids its end.
 */
function clearOutside({ width, height, data }: Picture, back: Similarity, part: Picture, chin: number): Plane {
  const missing = createPlane(Math.ceil(width / missingBlockSize), Math.ceil(height / missingBlockSize))
  const origin = transform(back, { x: 0.5, y: 0.5 })
  const [dx, dy] = [back.scale * Math.cos(back.angle), back.scale * Math.sin(back.angle)]
  for (let y = 0, i = 0; y < height; y++) {
    const row = Math.floor(y / missingBlockSize) * missing.width
    for (let x = 0; x < width; x++, i++) {
      const alpha = data[4 * i + 3] as number
      if (alpha === 0) continue
      const [px, py] = [origin.x + x * dx - y * dy, origin.y + x * dy + y * dx]
      if (px >= 0 && py >= 0 && px <= part.width && py <= part.height) continue
      const block = row + Math.floor(x / missingBlockSize)
      missing.data[block] = (missing.data[block] as number) + alpha / (255 * missingBlockSize ** 2)
      if (y < chin && py <= part.height) data[4 * i + 3] = 0
    }
  }
  return missing
}

/** Half width of a head with its hair, in face widths, which no crop cuts into. */
const minHalfWidth = 0.8

function personBox(head: HeadFrame, height: number, others: readonly Face[], picture: Picture): Box {
  const { x, y } = head.centre
  let [left, right] = [x - cropExtent.side * height, x + cropExtent.side * height]
  for (const { points } of others) {
    const other = headFrame(points)
    if (Math.abs(other.centre.y - y) > 1.5 * height) continue
    const middle = (x * other.width + other.centre.x * head.width) / (other.width + head.width)
    if (other.centre.x < x) left = Math.max(left, Math.min(middle, x - minHalfWidth * head.width))
    else right = Math.min(right, Math.max(middle, x + minHalfWidth * head.width))
  }
  const box = {
    x: left,
    y: y - cropExtent.above * height,
    width: right - left,
    height: (cropExtent.above + cropExtent.below) * height,
  }
  return clipBox(box, picture) ?? wholeOf(picture)
}

/**
 * Turns heads tilted by about `roll` (radians) by quarter turns to less than an eighth of a turn,
 * since the person model only recognises upright people, and scales by `scale`. `place` maps the
 * old pixels to the new ones. Undefined if no turn is needed.
 */
export function rotateToUpright(
  picture: Picture,
  roll: number,
  scale: number,
): { picture: Picture; place: Similarity } | undefined {
  const quarters = Math.round(roll / (Math.PI / 2))
  if (quarters === 0) return undefined
  const [across, down] = [Math.round(picture.width * scale), Math.round(picture.height * scale)]
  const size = quarters % 2 === 0 ? { width: across, height: down } : { width: down, height: across }
  const place = similarityTo(centreOf(picture), centreOf(size), -quarters * (Math.PI / 2), scale)
  return { picture: resamplePicture(picture, place, size.width, size.height), place }
}

const centreOf = ({ width, height }: Size) => ({ x: width / 2, y: height / 2 })

/**
 * Shares of the picture's height: the head, its maximum, the eyes from the upper edge, and the
 * least room above the hair.
 */
const composition = { head: 0.5, most: 0.55, eyes: 1 / 3, above: 0.05 }
/** Candidates for frames where the photograph ends too early. */
const candidates = { least: 0.45, largest: 1.1, step: 0.01, eyes: [1 / 3, 0.36, 0.39, 0.31, 0.42, 0.28, 0.45] }
/** Largest share of a block with cut-off parts of the body: less than a pixel. */
const maxMissing = 0.05

type Measures = Pick<HeadView, 'missing' | 'eyes' | 'crown' | 'chin' | 'centre'>

/** A rectangle of the view in whole pixels; it may extend beyond the view, where it is empty. */
export interface PortraitFrame extends Box {
  /** Height of the head as a share of the frame's. */
  head: number
  /** True if the photograph shows too little around the head. */
  tight: boolean
}

/**
 * Frame with the eyes on the upper third and the head half as high, or the nearest (closer, higher
 * or lower) that leaves room above tall hair and does not show where the photograph cuts off
 * shoulders or hair.
 */
export function frameHead(view: Measures, ratio: number): PortraitFrame {
  const height = view.chin - view.crown
  let best: { frame: PortraitFrame; cost: number } | undefined
  for (const eyes of candidates.eyes) {
    for (let head = candidates.least; head <= candidates.largest; head += candidates.step) {
      const frame = frameOf(view, ratio, height / head, eyes)
      const beyond = head > composition.most ? 4 * (head - composition.most) : 0
      const above = eyes - (head * (view.eyes - view.crown)) / height
      const tall = 8 * Math.max(0, composition.above - above)
      const cost = Math.abs(head - composition.head) + beyond + 4 * Math.abs(eyes - composition.eyes) + tall
      if (best && cost >= best.cost) continue
      if (showsMissing(view.missing, frame)) continue
      best = { frame: { ...frame, head, tight: head > composition.most + 0.005 }, cost }
    }
  }
  // If nothing fits, use the closest frame.
  return (
    best?.frame ?? { ...frameOf(view, ratio, height / candidates.largest, 0.45), head: candidates.largest, tight: true }
  )
}

function frameOf(view: Measures, ratio: number, height: number, eyes: number): Box {
  const width = height * ratio
  return {
    x: Math.round(view.centre - width / 2),
    y: Math.round(view.eyes - eyes * height),
    width: Math.round(width),
    height: Math.round(height),
  }
}

/** A wedge at a corner is small, but visible, so each block counts that the frame touches. */
function showsMissing({ width, height, data }: Plane, frame: Box): boolean {
  const left = Math.max(0, Math.floor(frame.x / missingBlockSize))
  const top = Math.max(0, Math.floor(frame.y / missingBlockSize))
  const right = Math.min(width, Math.ceil((frame.x + frame.width) / missingBlockSize))
  const bottom = Math.min(height, Math.ceil((frame.y + frame.height) / missingBlockSize))
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) if ((data[y * width + x] as number) > maxMissing) return true
  return false
}
