import type { EngineHost, Face, MeshPoints } from '#engine/host.ts'
import { boxOverlap, inverse, similarityTo } from '#engine/image/geometry.ts'
import type { Picture } from '#engine/image/picture.ts'
import { fitWithin } from '#engine/image/pixels.ts'
import { resampleForModel, resamplePicture } from '#engine/image/resample-similarity.ts'
import { type FaceSearch, findFaces, meshIn, viewOfFace } from './faces.ts'
import { facePose, headFrame } from './head.ts'
import { meshBox, moveFace, moveMesh } from './mesh-geometry.ts'

/** Meshes are biased towards upright, so a change of roll above this needs another pass. */
const maxRollChange = (0.7 * Math.PI) / 180
const maxPasses = 4

/**
 * Measures again at the mesh model's preferred size. The model underestimates tilt by up to half
 * and shortens tilted faces; upright its points are accurate to a third of a degree.
 */
export async function uprightFace(picture: Picture, face: Face, host: EngineHost): Promise<Face> {
  let best = face
  for (let look = 0; look < maxPasses; look++) {
    const { roll, eyesToChin } = headFrame(best.points)
    if (!(eyesToChin > 0)) return best
    const { points, fit } = await meshIn(picture, viewOfFace(best.points, roll), host)
    const pose = facePose(points)
    best = { ...face, points, fit, pose }
    if (Math.abs(pose.roll - roll) < maxRollChange) break
  }
  return best
}

/** Largest first, as in {@link findFaces}, of tilted faces too; see {@link uprightFace}. */
export async function faceMeshes(picture: Picture, host: EngineHost): Promise<MeshPoints[]> {
  const meshes: MeshPoints[] = []
  for (const face of await findFaces(picture, host)) {
    const seen = await uprightFace(picture, face, host)
    meshes.push((seen.fit > minFit ? seen : face).points)
  }
  return meshes
}

/** Additional passes over a face, each rotated (radians) and scaled slightly differently. */
const refinementPasses = [
  { turn: 0.04, zoom: 0.93 },
  { turn: -0.04, zoom: 1.07 },
]

/** Mean of several passes, which cancels random error and the bias towards upright. */
export async function refineFaceMesh(picture: Picture, face: Face, host: EngineHost): Promise<Face> {
  const { roll } = headFrame(face.points)
  const meshes = [face.points]
  for (const { turn, zoom } of refinementPasses) {
    meshes.push((await meshIn(picture, viewOfFace(face.points, roll + turn, zoom), host)).points)
  }
  const points = face.points.map((_, i) => {
    const of = (axis: 0 | 1 | 2) => meshes.reduce((sum, mesh) => sum + (mesh[i]?.[axis] ?? 0), 0) / meshes.length
    return [of(0), of(1), of(2)] as const
  })
  return { ...face, points, pose: facePose(points) }
}

/** Side in pixels of the square in which the detector verifies a face. */
const side = 256
/** Distance from eyes to chin, and row of the eyes. */
const framing = { eyesToChin: 0.27, eyes: 0.45 }

/** The detector's confidence in a face enlarged and rotated by `-roll`; 0 if none is found. */
async function confidenceIn(picture: Picture, points: MeshPoints, roll: number, host: EngineHost): Promise<number> {
  const { eyes, eyesToChin } = headFrame(points)
  if (!(eyesToChin > 0)) return 0
  const target = { x: side / 2, y: framing.eyes * side }
  const view = similarityTo(eyes, target, -roll, (framing.eyesToChin * side) / eyesToChin)
  const away = (face: Face): number => {
    const seen = headFrame(face.points).eyes
    return Math.hypot(seen.x - target.x, seen.y - target.y)
  }
  const found = await host.faces(resampleForModel(picture, view, side, side))
  return Math.max(0, ...found.filter((face) => away(face) < 0.15 * side).map(({ confidence }) => confidence))
}

const searchSide = 1024
/** Quarter turns first, for cameras that do not record their orientation. */
const turns = [Math.PI / 2, -Math.PI / 2, Math.PI, Math.PI / 4, -Math.PI / 4]
/** Below `sure` a face may be upside down; below `least` it counts as none. */
const confidences = { sure: 0.8, least: 0.5 }
/** A mesh with a worse fit shows no face. */
const minFit = 0.5
/** Below this fit of the mesh, an upright face may be a false positive. */
const sureFit = 0.9
/** Cosine of the tilt below which a picture counts as tilted. */
const tiltedCosine = 0.8

/**
 * Largest first, also in pictures on their side, upside down or tilted, by rotation. Meshes and
 * poses are those of {@link uprightFace}. Pass `reduced`, the same picture smaller, if it exists.
 */
export async function findRotatedFaces(
  picture: Picture,
  host: EngineHost,
  reduced = picture,
  search: FaceSearch = {},
): Promise<Face[]> {
  const enlarge = { scale: picture.width / reduced.width, angle: 0, x: 0, y: 0 }
  const straight = (await findFaces(reduced, host, search)).map((face) => moveFace(face, enlarge))
  let best = await uprightFaces(picture, straight, host)
  for (const angle of turns) {
    if (maxConfidence(best) >= confidences.sure) break
    const found = await uprightFaces(picture, await facesInTurned(picture, angle, host), host)
    if (maxConfidence(found) > maxConfidence(best)) best = found
  }
  // People share a tilt: upright, the others are found more easily, and none upside down.
  const roll = best[0]?.pose.roll ?? 0
  if (Math.cos(roll) > tiltedCosine) return best
  const again = await uprightFaces(picture, await facesInTurned(picture, -roll, host), host)
  return totalConfidence(again) > totalConfidence(best) ? again : best
}

const totalConfidence = (faces: readonly Face[]): number => faces.reduce((sum, { confidence }) => sum + confidence, 0)

const maxConfidence = (faces: readonly Face[]): number => Math.max(0, ...faces.map(({ confidence }) => confidence))

/** Meshes of faces that touch hardly overlap. */
const sameFace = 0.3
const isSameAs = (face: Face) => (other: Face) => boxOverlap(meshBox(face.points), meshBox(other.points)) > sameFace

/**
 * Drops faces of which the detector is unsure, and the smaller one of two on the same face; see
 * {@link uprightFace}.
 */
export async function uprightFaces(picture: Picture, faces: readonly Face[], host: EngineHost): Promise<Face[]> {
  const kept: Face[] = []
  for (const face of faces) {
    const seen = await uprightFace(picture, face, host)
    const sure = face.confidence >= confidences.sure && seen.fit >= sureFit && Math.cos(seen.pose.roll) > tiltedCosine
    const better = sure ? seen : await withSurerOrientation(picture, seen, host)
    if (better.confidence > confidences.least && better.fit > minFit && !kept.some(isSameAs(better))) kept.push(better)
  }
  return kept
}

async function withSurerOrientation(picture: Picture, face: Face, host: EngineHost): Promise<Face> {
  const confidence = await confidenceIn(picture, face.points, face.pose.roll, host)
  if (confidence >= confidences.sure) return { ...face, confidence }
  const other = await uprightFace(picture, upsideDown(face), host)
  const turned = await confidenceIn(picture, other.points, other.pose.roll, host)
  return turned > confidence ? { ...other, confidence: turned } : { ...face, confidence }
}

function upsideDown(face: Face): Face {
  const { x, y } = headFrame(face.points).centre
  return { ...face, points: moveMesh(face.points, { scale: 1, angle: Math.PI, x: 2 * x, y: 2 * y }) }
}

async function facesInTurned(picture: Picture, angle: number, host: EngineHost): Promise<Face[]> {
  const reduced = fitWithin(picture, searchSide)
  const [cos, sin] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))]
  const width = Math.round(reduced.width * cos + reduced.height * sin)
  const height = Math.round(reduced.width * sin + reduced.height * cos)
  const middle = { x: picture.width / 2, y: picture.height / 2 }
  const turn = similarityTo(middle, { x: width / 2, y: height / 2 }, angle, reduced.width / picture.width)
  const faces = await findFaces(resamplePicture(picture, turn, width, height), host)
  return faces.map((face) => moveFace(face, inverse(turn)))
}
