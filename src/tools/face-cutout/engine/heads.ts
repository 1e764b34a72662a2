import { EngineError } from '#engine/error.ts'
import type { EngineHost, Face, MeshPoints } from '#engine/host.ts'
import {
  boundsOf,
  boxOverlap,
  clipBox,
  composeSimilarities,
  growBox,
  inverse,
  moveBox,
  type Similarity,
  scaleBox,
  similarityTo,
  translationBy,
  wholeOf,
} from '#engine/image/geometry.ts'
import { createPlane, type Picture, type Plane, type Size } from '#engine/image/picture.ts'
import { cropPicture, cropPlane, cropWithPadding, flatten } from '#engine/image/pixels.ts'
import { shrink, smoothRows } from '#engine/image/plane.ts'
import { resampleForModel, resamplePicture } from '#engine/image/resample-similarity.ts'
import type { FaceLabels, TaskInput, TaskResult } from '#engine/task-types.ts'
import { fillFace, headMatte, headPartsFromLabels, sufficientFaceSize } from '#engine/tasks/face-cutout/index.ts'
import {
  findFaces,
  findRotatedFaces,
  headFrame,
  matteCoverageOfFace,
  meshBox,
  moveFace,
  moveMesh,
  shareOutsidePicture,
  uprightFaces,
} from '#engine/tasks/faces/index.ts'
import { cutOut, findObjects, isAnimal, reduceForSearch, subjectMatte } from '#engine/tasks/subject-matte/index.ts'
import type { Box } from '#shared/media.ts'
import { maxHeads } from '../contract/definition.ts'

/** Eyes-to-chin distance in pixels: minimum for a cut-out, and for a clear one. */
export const minEyesToChin = { face: 12, clear: 45 }
const maxShareOutside = 0.3
/** A picture whose largest face is tilted beyond this (cosine) is rotated. */
const minUprightCosine = 0.7
/** Radius in which the head's and the clothes' colours are sampled, in eyes-to-chin distances. */
const colourRadius = 3.1
/** Margin for sampling colours of the head and its background, as a share of its height. */
const colourMargin = 0.06
/** Alpha up to here, 0 to 255, does not enlarge the picture. */
export const faintAlpha = 5

interface FoundHeads {
  /** Can be cut out, largest first. */
  heads: Face[]
  /** The `heads` and the faces cut off by the picture's edge of which the detector is sure. */
  seen: Face[]
}

export async function findHeads(source: Picture, host: EngineHost): Promise<FoundHeads> {
  const reduced = await reduceForSearch(source, host)
  const found = await findRotatedFaces(source, host, reduced, { thorough: true })
  const cut = await facesAtEdge(source, reduced, host)
  const others = found.filter(({ box }) => !cut.some((face) => boxOverlap(face.box, box) > 0.2))
  const faces = (await withoutAnimals([...others, ...cut], source, reduced, host)).sort(
    (a, b) => areaOf(b.box) - areaOf(a.box),
  )
  const seen = faces.filter(({ points }) => headFrame(points).eyesToChin >= minEyesToChin.face)
  const heads = seen.filter(({ points }) => shareOutsidePicture(points, source) < maxShareOutside)
  return { heads: heads.slice(0, maxHeads), seen }
}

const areaOf = ({ width, height }: Box) => width * height

/** Limits of a face that is no animal's, whatever surrounds it. */
const sureFace = { confidence: 0.8, fit: 0.9 } as const

async function withoutAnimals(faces: Face[], source: Picture, reduced: Picture, host: EngineHost): Promise<Face[]> {
  const isSure = ({ confidence, fit }: Face) => confidence >= sureFace.confidence && fit >= sureFace.fit
  if (faces.every(isSure)) return faces
  const objects = await findObjects(reduced, host)
  const scale = reduced.width / source.width
  return faces.filter((face) => isSure(face) || !isAnimal(scaleBox(face.box, scale, scale), objects))
}

/**
 * Width of the grey around the photograph, as a share of its longer side, and side of the view of
 * one face in sizes of it. The detector is unsure of faces that the input's edge cuts off, and sure
 * of those that something covers.
 */
const surround = { picture: 0.12, face: 4 } as const

async function facesAtEdge(source: Picture, reduced: Picture, host: EngineHost): Promise<Face[]> {
  const wide = growBox(wholeOf(reduced), Math.round(surround.picture * Math.max(reduced.width, reduced.height)))
  const enlarge = { ...translationBy(0, 0), scale: source.width / reduced.width }
  const toSource = composeSimilarities(translationBy(wide.x, wide.y), enlarge)
  const faces: Face[] = []
  for (const found of await findFaces(inGrey(reduced, wide), host)) {
    const face = moveFace(found, toSource)
    const { x, y, width, height } = meshBox(face.points)
    if (x >= 0 && y >= 0 && x + width <= source.width && y + height <= source.height) continue
    const side = Math.round(surround.face * Math.max(width, height))
    const [left, top] = [x + (width - side) / 2, y + (height - side) / 2].map(Math.round) as [number, number]
    const around = { x: left, y: top, width: side, height: side }
    const near = moveFace(face, translationBy(-around.x, -around.y))
    for (const seen of await uprightFaces(inGrey(source, around), [near], host)) {
      const own = moveFace(seen, translationBy(around.x, around.y))
      const box = clipBox(own.box, source)
      if (box) faces.push({ ...own, box })
    }
  }
  return faces
}

/** A part of the picture that may extend beyond it. */
const inGrey = (picture: Picture, box: Box) => flatten(cropWithPadding(picture, box), 128, 128, 128)

export function problemOf({ heads, seen }: FoundHeads): 'engine.no_face' | 'engine.face_cut' | undefined {
  if (heads.length > 0) return undefined
  return seen.length > 0 ? 'engine.face_cut' : 'engine.no_face'
}

/** Input of face parsing networks: side in pixels, and width in eyes-to-chin distances. */
const parsingInput = { side: 512, width: 4.6 } as const

function toParsingInput({ points }: Face): Similarity {
  const { centre, roll, eyesToChin } = headFrame(points)
  const middle = { x: parsingInput.side / 2, y: parsingInput.side / 2 }
  return similarityTo(centre, middle, -roll, parsingInput.side / (parsingInput.width * eyesToChin))
}

export async function faceParsingTasks(source: Picture, host: EngineHost): Promise<TaskInput['parseFace'][]> {
  const { heads } = await findHeads(source, host)
  return heads.map((head) => ({
    picture: resamplePicture(source, toParsingInput(head), parsingInput.side, parsingInput.side),
  }))
}

/** `placement` maps the photograph's pixels into the picture. */
export interface CutHead {
  picture: Picture
  placement: Similarity
}

/**
 * In the order of the faces, with a provider's parsing where available. Throws `engine.no_face` and
 * `engine.face_cut`.
 */
export async function cutHeads(
  source: Picture,
  parts: readonly (TaskResult['parseFace'] | undefined)[],
  host: EngineHost,
): Promise<CutHead[]> {
  const found = await findHeads(source, host)
  const problem = problemOf(found)
  if (problem) throw new EngineError(problem)
  const { picture, turn, meshes, boxes } = upright(source, found.seen)
  const reduced = await reduceForSearch(picture, host)
  const matte = await orEmpty(subjectMatte(picture, { subject: 'person', reduced, faces: boxes }, host), picture)
  await addMissedHeads(matte, picture, meshes, boxes, host)
  const heads: CutHead[] = []
  for (const [i, own] of meshes.entries()) {
    const face = found.seen[i] as Face
    const index = found.heads.indexOf(face)
    if (index < 0) continue
    host.signal.throwIfAborted()
    const labels = parts[index]?.labels
    const named = labels && { labels, at: composeSimilarities(inverse(turn), toParsingInput(face)) }
    const group = meshes.length > 1 && meshes.length <= mostCloser && boxes[i]
    const near = group ? await closerMatte(picture, matte, own, group, host) : matte
    fillFace(near, own)
    const head = await cutHead(picture, near, { own, all: meshes, named }, host)
    heads.push({ ...head, placement: composeSimilarities(turn, head.placement) })
  }
  return heads
}

/** A matte that covers less of a face has missed the person. */
const minFaceCoverage = 0.5

/** Largest group of which each head gets a closer view, which takes about a second. */
const mostCloser = 12
/** A closer view that covers less of a face is no better. */
const sureCoverage = 0.97

/** The matte, or an empty one without a person. */
async function orEmpty(found: Promise<Plane>, { width, height }: Size): Promise<Plane> {
  return await found.catch((error: unknown) => {
    if (error instanceof EngineError && error.code === 'engine.no_subject') return createPlane(width, height)
    throw error
  })
}

/** Looks closer at the heads of a group that the matte of the whole picture lacks. In place. */
async function addMissedHeads(
  matte: Plane,
  picture: Picture,
  meshes: readonly MeshPoints[],
  boxes: readonly Box[],
  host: EngineHost,
): Promise<void> {
  for (const [i, points] of meshes.entries()) {
    if (matteCoverageOfFace(points, matte) >= minFaceCoverage) continue
    host.signal.throwIfAborted()
    const { centre, eyesToChin } = headFrame(points)
    const around = clipBox(growBox({ ...centre, width: 0, height: 0 }, colourRadius * eyesToChin), picture)
    const face = boxes[i]
    if (!around || !face) continue
    const faces = [{ ...face, x: face.x - around.x, y: face.y - around.y }]
    const near = await orEmpty(subjectMatte(cropPicture(picture, around), { subject: 'person', faces }, host), around)
    for (let y = 0, from = 0; y < around.height; y++) {
      for (let x = 0, at = (around.y + y) * matte.width + around.x; x < around.width; x++, at++, from++) {
        matte.data[at] = Math.max(matte.data[at] as number, near.data[from] as number)
      }
    }
  }
}

/**
 * Matte in which a closer view of one face in a group removes what the view of the whole took for
 * people: walls between heads and neighbours' clothes.
 */
async function closerMatte(
  picture: Picture,
  matte: Plane,
  points: MeshPoints,
  face: Box,
  host: EngineHost,
): Promise<Plane> {
  const { centre, eyesToChin } = headFrame(points)
  const around = clipBox(growBox({ ...centre, width: 0, height: 0 }, colourRadius * eyesToChin), picture)
  if (!around) return matte
  const faces = [{ ...face, x: face.x - around.x, y: face.y - around.y }]
  const near = await orEmpty(subjectMatte(cropPicture(picture, around), { subject: 'person', faces }, host), around)
  if (matteCoverageOfFace(moveMesh(points, translationBy(-around.x, -around.y)), near) < sureCoverage) return matte
  const own = { ...matte, data: matte.data.slice() }
  for (let y = 0, from = 0; y < around.height; y++) {
    for (let x = 0, at = (around.y + y) * matte.width + around.x; x < around.width; x++, at++, from++) {
      own.data[at] = Math.min(own.data[at] as number, near.data[from] as number)
    }
  }
  return own
}

/** Rotates a picture that lies on its side; all others keep their exact pixels. */
function upright(source: Picture, faces: readonly Face[]) {
  const roll = (faces[0] as Face).pose.roll
  const meshes = faces.map(({ points }) => points)
  const boxes = faces.map(({ box }) => box)
  if (Math.cos(roll) > minUprightCosine) return { picture: source, turn: translationBy(0, 0), meshes, boxes }
  const [cos, sin] = [Math.abs(Math.cos(roll)), Math.abs(Math.sin(roll))]
  const width = Math.round(source.width * cos + source.height * sin)
  const height = Math.round(source.width * sin + source.height * cos)
  const middle = { x: source.width / 2, y: source.height / 2 }
  const turn = similarityTo(middle, { x: width / 2, y: height / 2 }, -roll, 1)
  return {
    picture: resamplePicture(source, turn, width, height),
    turn,
    meshes: meshes.map((points) => moveMesh(points, turn)),
    boxes: boxes.map((box) => moveBox(box, turn)),
  }
}

interface Meshes {
  own: MeshPoints
  all: readonly MeshPoints[]
  /** A provider's labels, and the transformation from the picture to them. */
  named: { labels: FaceLabels; at: Similarity } | undefined
}

async function cutHead(picture: Picture, matte: Plane, meshes: Meshes, host: EngineHost): Promise<CutHead> {
  const { share, region } = findHead(picture, matte, meshes)
  // Colours are cleaned along the person's edge; the neck below the chin keeps its own.
  const inside = cropPlane(matte, region.x, region.y, region.width, region.height)
  const cut = await cutOut(cropPicture(picture, region), inside, host)
  const left = fadeTo(cut, share)
  return { picture: cropPicture(cut, left), placement: translationBy(-region.x - left.x, -region.y - left.y) }
}

/** Computes the matte at the required size. */
function findHead(picture: Picture, matte: Plane, { own: given, all, named }: Meshes) {
  const { centre, eyesToChin } = headFrame(given)
  const box = clipBox(growBox({ ...centre, width: 0, height: 0 }, colourRadius * eyesToChin), picture)
  if (!box) throw new EngineError('engine.no_face')
  const scale = Math.min(1, sufficientFaceSize / eyesToChin)
  const [width, height] = [Math.ceil(box.width * scale), Math.ceil(box.height * scale)]
  const view = { scale, angle: 0, x: -box.x * scale, y: -box.y * scale }
  const inside = shrink(cropPlane(matte, box.x, box.y, box.width, box.height), width, height)
  const meshes = all.map((points) => moveMesh(points, view))
  const parts = named && headPartsFromLabels(named.labels, composeSimilarities(inverse(view), named.at), inside)
  const own = meshes[all.indexOf(given)] as MeshPoints
  const share = headMatte(resampleForModel(picture, view, width, height), inside, own, meshes, parts)
  const bounds = boundsOf(share, 0) ?? wholeOf(share)
  const part = clipBox(growBox(bounds, colourMargin * bounds.height), share) ?? bounds
  const whole = scaleBox(part, box.width / width, box.height / height)
  const region = clipBox({ ...whole, x: box.x + whole.x, y: box.y + whole.y }, picture) ?? box
  return { share: cropPlane(share, part.x, part.y, part.width, part.height), region }
}

/** In place; returns the non-empty region. */
function fadeTo({ width, height, data }: Picture, share: Plane): Box {
  const row = smoothRows(share, width, height)
  let [left, top, right, bottom] = [width, height, 0, 0]
  for (let y = 0; y < height; y++) {
    const factors = row(y)
    for (let x = 0, at = 4 * y * width + 3; x < width; x++, at += 4) {
      const alpha = Math.round((data[at] as number) * (factors[x] as number))
      data[at] = alpha
      if (alpha <= faintAlpha) continue
      left = Math.min(left, x)
      right = Math.max(right, x + 1)
      top = Math.min(top, y)
      bottom = y + 1
    }
  }
  return right > 0 ? { x: left, y: top, width: right - left, height: bottom - top } : { x: 0, y: 0, width, height }
}
