import type { Box } from '#contract/media.ts'
import type { EngineHost, FaceMesh, MeshPoints } from '../host.ts'
import type { Picture } from '../picture.ts'
import { glance } from '../resample-similarity.ts'
import { inverse, type Similarity, transform } from '../similarity.ts'
import { headFrame } from './head.ts'
import { outlineOf } from './landmarks.ts'
import { moveMesh } from './mesh-geometry.ts'

/** Sides in pixels of the squares that the models for meshes and for descriptions see. */
export const meshSide = 192
export const descriptionSide = 224
/**
 * What these show, in lengths of the face's longer side. Hair and background are no part of who
 * somebody is: without them people are told apart as well (area under the curve of verification
 * 0.994 either way), and a swapped face is compared by what was swapped. Age shows in hair too.
 */
const around = { mesh: 1.5, embedding: 1.15, age: 1.5 }

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

/**
 * Who a face belongs to, seen upright and always equally large: a unit vector, to be compared by
 * `likeness`.
 */
export async function faceEmbedding(picture: Picture, points: MeshPoints, host: EngineHost): Promise<Float32Array> {
  return (await host.describeFace(describedPart(picture, points, around.embedding))).embedding
}

/** The years that a face looks like; right to about six in the mean. */
export async function apparentAge(picture: Picture, points: MeshPoints, host: EngineHost): Promise<number> {
  return (await host.describeFace(describedPart(picture, points, around.age))).age
}

function describedPart(picture: Picture, points: MeshPoints, lengths: number): Picture {
  const view = squareView(points, headFrame(points).roll, descriptionSide, lengths)
  return glance(picture, view, descriptionSide, descriptionSide)
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
