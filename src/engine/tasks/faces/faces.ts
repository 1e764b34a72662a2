import type { EngineHost, Face, FaceDescription, FaceMesh, MeshPoints } from '#engine/host.ts'
import {
  boxOverlap,
  clipBox,
  inverse,
  type Similarity,
  scaleBox,
  shareInside,
  transform,
  wholeOf,
} from '#engine/image/geometry.ts'
import type { Picture, Size } from '#engine/image/picture.ts'
import { cropPicture, fitWithin } from '#engine/image/pixels.ts'
import { resampleForModel } from '#engine/image/resample-similarity.ts'
import type { Box } from '#shared/media.ts'
import { headFrame } from './head.ts'
import { moveMesh } from './mesh-geometry.ts'
import { outlineOf } from './regions.ts'

const workSide = 1024
const tileSide = 512
/** Minimum fit of a mesh; objects that only resemble a face from afar score lower. */
const minFit = 0.9
/**
 * The detector's input is square: wider pictures, several faces, or a face below this share of the
 * shorter side need tiles as well.
 */
const maxAspect = 1.6
const smallFace = 0.16

/** In a thorough search a group gets smaller tiles too: their side by the shorter one. */
const group = { faces: 3, tile: 0.42 }

export interface FaceSearch {
  /** Searches for small faces beside a large one and in groups, which takes longer. */
  thorough?: boolean
}

/** Largest first, in pixels of the picture. */
export async function findFaces(
  picture: Picture,
  host: EngineHost,
  { thorough = false }: FaceSearch = {},
): Promise<Face[]> {
  const size = fitWithin(picture, workSide)
  const reduced = await host.resize(picture, size.width, size.height)
  const found = await facesIn(reduced, wholeOf(size), size, host)
  const shorter = Math.min(size.width, size.height)
  const smallest = found.at(-1)
  const wide = Math.max(size.width, size.height) > maxAspect * shorter
  const searchTiles = async (side: number) => {
    for (const tile of tilesOf(size, side)) {
      for (const face of await facesIn(reduced, tile, fitWithin(tile, tileSide), host)) addUnlessFound(found, face)
    }
  }
  if (thorough || wide || found.length > 1 || (smallest && smallest.box.width < smallFace * shorter)) {
    await searchTiles(Math.max(size.width, size.height) > 1.2 * shorter ? shorter : Math.round(0.6 * shorter))
  }
  if (thorough && found.length >= group.faces) await searchTiles(Math.round(group.tile * shorter))
  found.sort((a, b) => b.box.width * b.box.height - a.box.width * a.box.height)
  const enlarge = picture.width / size.width
  return found.map((face) => toPicture(face, enlarge, { x: 0, y: 0 }))
}

/** Squares of a side that overlap by a quarter or more and cover a picture. */
export function tilesOf(size: Size, side: number): Box[] {
  const starts = (length: number) => {
    const count = length > side ? 1 + Math.ceil((length - side) / (0.75 * side)) : 1
    return Array.from({ length: count }, (_, i) => (count > 1 ? Math.round((i * (length - side)) / (count - 1)) : 0))
  }
  return starts(size.height).flatMap((y) =>
    starts(size.width).flatMap((x) => clipBox({ x, y, width: side, height: side }, size) ?? []),
  )
}

async function facesIn(picture: Picture, tile: Box, { width, height }: Size, host: EngineHost): Promise<Face[]> {
  const whole = tile.width === picture.width && tile.height === picture.height
  const part = whole ? picture : cropPicture(picture, tile)
  const faces = await host.faces(await host.resize(part, width, height))
  const enlarge = tile.width / width
  return faces.filter((face) => face.fit > minFit).map((face) => toPicture(face, enlarge, tile))
}

/** A closer view enlarges small parts up to this factor. */
const closest = 8

/** The size in which a part of a picture is looked at closely. */
export const closeSize = ({ width, height }: Size): Size =>
  fitWithin({ width: closest * width, height: closest * height }, tileSide)

/** Faces in a closer view of a part, in pixels of the picture. */
export const findFacesIn = (picture: Picture, part: Box, host: EngineHost): Promise<Face[]> =>
  facesIn(picture, part, closeSize(part), host)

function toPicture(face: Face, enlarge: number, origin: { x: number; y: number }): Face {
  const box = scaleBox(face.box, enlarge, enlarge)
  return {
    ...face,
    box: { ...box, x: box.x + origin.x, y: box.y + origin.y },
    points: face.points.map(([x, y, depth]) => [x * enlarge + origin.x, y * enlarge + origin.y, depth * enlarge]),
  }
}

function addUnlessFound(faces: Face[], face: Face): void {
  const same = (other: Face): boolean => {
    const away = Math.hypot(
      other.box.x + other.box.width / 2 - face.box.x - face.box.width / 2,
      other.box.y + other.box.height / 2 - face.box.y - face.box.height / 2,
    )
    // A tile's edge may show a part of a larger face.
    const isPart = shareInside(face.box, other.box) > 0.6
    return isPart || boxOverlap(other.box, face.box) > 0.2 || away < 0.5 * Math.max(other.box.width, face.box.width)
  }
  if (!faces.some(same)) faces.push(face)
}

export const meshSide = 192
export const descriptionSide = 224
/**
 * Sides of these inputs in lengths of the face's longer side. Hair and background are not part of
 * an identity: a tight crop verifies as well (area under the curve 0.994), and a swapped face is
 * compared by the swapped area only.
 */
const inputScale = { mesh: 1.5, description: 1.15 }

/** In pixels of the picture; the part is square. */
export async function meshIn(
  picture: Picture,
  view: Similarity,
  { faceMesh }: Pick<EngineHost, 'faceMesh'>,
): Promise<FaceMesh> {
  const { points, fit } = await faceMesh(resampleForModel(picture, view, meshSide, meshSide))
  return { points: moveMesh(points, inverse(view)), fit }
}

export function viewOfBox({ x, y, width }: Box): Similarity {
  const scale = meshSide / width
  return { scale, angle: 0, x: -x * scale, y: -y * scale }
}

/** Maps a face, rotated by `-roll`, to the centre of the mesh model's input. */
export function viewOfFace(points: MeshPoints, roll: number, zoom = 1): Similarity {
  return squareView(points, roll, meshSide, inputScale.mesh / zoom)
}

/** The embedding of a face, computed upright and at a fixed size. */
export function describeFace(picture: Picture, points: MeshPoints, host: EngineHost): Promise<FaceDescription> {
  const view = squareView(points, headFrame(points).roll, descriptionSide, inputScale.description)
  return host.describeFace(resampleForModel(picture, view, descriptionSide, descriptionSide))
}

function squareView(points: MeshPoints, roll: number, side: number, lengths: number): Similarity {
  const turn = { scale: 1, angle: -roll, x: 0, y: 0 }
  const outline = outlineOf(points, 'face').map((point) => transform(turn, point))
  const [xs, ys] = [outline.map(({ x }) => x), outline.map(({ y }) => y)]
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  const scale = side / (lengths * Math.max(right - left, bottom - top, 1e-3))
  return {
    scale,
    angle: -roll,
    x: side / 2 - (scale * (left + right)) / 2,
    y: side / 2 - (scale * (top + bottom)) / 2,
  }
}

/** Separates two people from the same person in different light and clothes. */
export const samePersonThreshold = 0.6

/** Cosine similarity of two face embeddings (unit vectors), 1 for the same picture. */
export function embeddingSimilarity(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number)
  return sum
}
