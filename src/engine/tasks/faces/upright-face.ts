import type { EngineHost, Face, MeshPoints } from '#engine/host.ts'
import { inverse, similarityTo } from '#engine/image/geometry.ts'
import type { Picture } from '#engine/image/picture.ts'
import { fitWithin } from '#engine/image/pixels.ts'
import { glance, resamplePicture } from '#engine/image/resample-similarity.ts'
import { findFaces, meshIn, viewOfFace } from './faces.ts'
import { facePose, headFrame } from './head.ts'
import { moveFace, moveMesh } from './mesh-geometry.ts'

/**
 * The mesh is drawn towards upright; a head that turns out to be tilted by more than this is looked
 * at again.
 */
const settled = (0.7 * Math.PI) / 180
const maxLooks = 4

/**
 * The same face, seen again upright and at the size that the mesh model likes best. The model was
 * trained on upright faces: seen tilted, it underestimates the tilt by up to half of it and
 * shortens the face; seen upright its points are good to a third of a degree.
 */
export async function uprightFace(picture: Picture, face: Face, host: EngineHost): Promise<Face> {
  let best = face
  for (let look = 0; look < maxLooks; look++) {
    const { roll, eyesToChin } = headFrame(best.points)
    if (!(eyesToChin > 0)) return best
    const { points, fit } = await meshIn(picture, viewOfFace(best.points, roll), host)
    const pose = facePose(points)
    best = { ...face, points, fit, pose }
    if (Math.abs(pose.roll - roll) < settled) break
  }
  return best
}

/** Further looks at a face, each turned (radians) and enlarged a little otherwise. */
const steadyLooks = [
  { turn: 0.04, zoom: 0.93 },
  { turn: -0.04, zoom: 1.07 },
]

/**
 * The same upright face measured more finely: the mean of several looks, from which both what the
 * model adds by chance and its pull towards upright cancel.
 */
export async function steadyFace(picture: Picture, face: Face, host: EngineHost): Promise<Face> {
  const { roll } = headFrame(face.points)
  const meshes = [face.points]
  for (const { turn, zoom } of steadyLooks) {
    meshes.push((await meshIn(picture, viewOfFace(face.points, roll + turn, zoom), host)).points)
  }
  const points = face.points.map((_, i) => {
    const of = (axis: 0 | 1 | 2) => meshes.reduce((sum, mesh) => sum + (mesh[i]?.[axis] ?? 0), 0) / meshes.length
    return [of(0), of(1), of(2)] as const
  })
  return { ...face, points, pose: facePose(points) }
}

/** Pixels of the square in which the detector is asked again whether a face is one. */
const side = 256
/** Share of the square from the line of the eyes to the chin, and how far down the eyes are. */
const framing = { eyesToChin: 0.27, eyes: 0.45 }

/**
 * How sure the detector is of a face that is seen large, turned by `-roll`; 0 where it sees none.
 */
async function confidenceIn(picture: Picture, points: MeshPoints, roll: number, host: EngineHost): Promise<number> {
  const { eyes, eyesToChin } = headFrame(points)
  if (!(eyesToChin > 0)) return 0
  const place = { x: side / 2, y: framing.eyes * side }
  const view = similarityTo(eyes, place, -roll, (framing.eyesToChin * side) / eyesToChin)
  const away = (face: Face): number => {
    const seen = headFrame(face.points).eyes
    return Math.hypot(seen.x - place.x, seen.y - place.y)
  }
  const found = await host.faces(glance(picture, view, side, side))
  return Math.max(0, ...found.filter((face) => away(face) < 0.15 * side).map(({ confidence }) => confidence))
}

const searchSide = 1024
/** Quarter turns first: cameras that do not say how they were held. */
const turns = [Math.PI / 2, -Math.PI / 2, Math.PI, Math.PI / 4, -Math.PI / 4]
/**
 * Confidence of the detector in a face: of one seen upright, below which it may stand on its head,
 * and of none.
 */
const confidences = { sure: 0.8, least: 0.5 }
/** Where the mesh does not fit an upright face so well, it may be none. */
const sureFit = 0.9
/** Cosine of the tilt from which a picture counts as held slantwise. */
const slanted = 0.8

/**
 * The faces of a picture, the largest first, even if it lies on its side, stands on its head, or
 * was taken slantwise: it is turned until faces are found. Meshes and poses are those of
 * {@link uprightFace}. `reduced` is the same picture smaller, where a caller has it.
 */
export async function findRotatedFaces(picture: Picture, host: EngineHost, reduced = picture): Promise<Face[]> {
  const enlarge = { scale: picture.width / reduced.width, angle: 0, x: 0, y: 0 }
  const straight = (await findFaces(reduced, host)).map((face) => moveFace(face, enlarge))
  let best = await upright(picture, straight, host)
  for (const angle of turns) {
    if (surest(best) >= confidences.sure) break
    const found = await upright(picture, await facesInTurned(picture, angle, host), host)
    if (surest(found) > surest(best)) best = found
  }
  // People are tilted alike: seen as the largest face is held, the others are found more easily,
  // and none the wrong way round.
  const roll = best[0]?.pose.roll ?? 0
  if (Math.cos(roll) > slanted) return best
  const again = await upright(picture, await facesInTurned(picture, -roll, host), host)
  return allSure(again) > allSure(best) ? again : best
}

const allSure = (faces: readonly Face[]): number => faces.reduce((sum, { confidence }) => sum + confidence, 0)

const surest = (faces: readonly Face[]): number => Math.max(0, ...faces.map(({ confidence }) => confidence))

/**
 * The faces seen upright, those that stood on their head turned, without what is none when it is
 * seen so.
 */
async function upright(picture: Picture, faces: readonly Face[], host: EngineHost): Promise<Face[]> {
  const kept: Face[] = []
  for (const face of faces) {
    const seen = await uprightFace(picture, face, host)
    const sure = face.confidence >= confidences.sure && seen.fit >= sureFit && Math.cos(seen.pose.roll) > slanted
    const better = sure ? seen : await surerOf(picture, seen, host)
    if (better.confidence > confidences.least && better.fit > 0.5) kept.push(better)
  }
  return kept
}

/** A face, or the same one the other way round, if the detector is surer of that. */
async function surerOf(picture: Picture, face: Face, host: EngineHost): Promise<Face> {
  const confidence = await confidenceIn(picture, face.points, face.pose.roll, host)
  if (confidence >= confidences.sure) return { ...face, confidence }
  const other = await uprightFace(picture, onItsHead(face), host)
  const turned = await confidenceIn(picture, other.points, other.pose.roll, host)
  return turned > confidence ? { ...other, confidence: turned } : { ...face, confidence }
}

/** The face as if it were upside down. */
function onItsHead(face: Face): Face {
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
