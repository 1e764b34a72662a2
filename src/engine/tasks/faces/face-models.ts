import type { Box } from '#contract/media.ts'
import type { EngineHost, FaceDescription, FaceMesh, MeshPoints } from '#engine/host.ts'
import { inverse, type Similarity, transform } from '#engine/image/geometry.ts'
import type { Picture } from '#engine/image/picture.ts'
import { glance } from '#engine/image/resample-similarity.ts'
import { headFrame } from './head.ts'
import { moveMesh } from './mesh-geometry.ts'
import { outlineOf } from './regions.ts'

/** Sides in pixels of the squares that the models for meshes and for descriptions see. */
export const meshSide = 192
export const descriptionSide = 224
/**
 * What these show, in lengths of the face's longer side. Hair and background are no part of who
 * somebody is: with little of them people are told apart as well (area under the curve of
 * verification 0.994), and a swapped face is compared by what was swapped.
 */
const around = { mesh: 1.5, description: 1.15 }

/** The mesh of the face that a square part of a picture shows, in pixels of the picture. */
export async function meshIn(
  picture: Picture,
  view: Similarity,
  { faceMesh }: Pick<EngineHost, 'faceMesh'>,
): Promise<FaceMesh> {
  const { points, fit } = await faceMesh(glance(picture, view, meshSide, meshSide))
  return { points: moveMesh(points, inverse(view)), fit }
}

/** Brings a square box of a picture to the square that the mesh model sees. */
export function viewOfBox({ x, y, width }: Box): Similarity {
  const scale = meshSide / width
  return { scale, angle: 0, x: -x * scale, y: -y * scale }
}

/** Brings a face, turned by `-roll`, to the middle of the square that the mesh model sees. */
export function viewOfFace(points: MeshPoints, roll: number, zoom = 1): Similarity {
  return squareView(points, roll, meshSide, around.mesh / zoom)
}

/** How a face looks, seen upright and always equally large. */
export function describeFace(picture: Picture, points: MeshPoints, host: EngineHost): Promise<FaceDescription> {
  const view = squareView(points, headFrame(points).roll, descriptionSide, around.description)
  return host.describeFace(glance(picture, view, descriptionSide, descriptionSide))
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

/**
 * How alike two faces are by their embeddings (unit vectors of the same length): their cosine, 1
 * for the same picture.
 */
export function likeness(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number)
  return sum
}
