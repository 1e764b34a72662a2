import { findFaces } from '../faces.ts'
import type { EngineHost, Face, MeshPoints } from '../host.ts'
import type { Picture } from '../picture.ts'
import { fitWithin } from '../pixels.ts'
import { inverse, resamplePicture, type Similarity, similarityTo, transform } from '../similarity.ts'
import { headFrame } from './head.ts'

/** Pixels of the square in which a head is looked at again. */
const side = 640
/** Share of the square from the line of the eyes to the chin, and how far down the eyes are. */
const framing = { eyesToChin: 0.27, eyes: 0.45 }
/** The mesh is drawn towards upright; a head that turns out to be tilted by more than this is looked at again. */
const settled = (1.2 * Math.PI) / 180
const maxLooks = 4

/**
 * The same face, seen again upright and at the size that the mesh model likes best. The model was trained on upright faces: seen
 * tilted, it underestimates the tilt by up to half of it and shortens the face; seen upright its points are good to a third of a degree.
 */
export async function uprightFace(picture: Picture, face: Face, host: EngineHost): Promise<Face> {
  let best = face
  for (let look = 0; look < maxLooks; look++) {
    const { roll } = headFrame(best.points)
    const seen = await lookAt(picture, best.points, roll, 1, host)
    if (!seen) return best
    best = { ...seen, box: face.box }
    if (Math.abs(seen.pose.roll - roll) < settled) break
  }
  return best
}

/** Further looks at a face, each turned (radians) and enlarged a little otherwise. */
const steadyLooks = [
  { turn: 0.04, zoom: 0.93 },
  { turn: -0.04, zoom: 1.07 },
]

/**
 * The same upright face measured more finely: the mean of several looks, from which both what the model adds by chance and its
 * pull towards upright cancel. For one face, since every look costs a detection.
 */
export async function steadyFace(picture: Picture, face: Face, host: EngineHost): Promise<Face> {
  const { roll } = headFrame(face.points)
  const meshes = [face.points]
  for (const { turn, zoom } of steadyLooks) {
    const seen = await lookAt(picture, face.points, roll + turn, zoom, host)
    if (seen) meshes.push(seen.points)
  }
  const points = face.points.map((_, i) => {
    const of = (axis: 0 | 1 | 2) => meshes.reduce((sum, mesh) => sum + (mesh[i]?.[axis] ?? 0), 0) / meshes.length
    return [of(0), of(1), of(2)] as const
  })
  return { ...face, points, pose: { ...face.pose, roll: headFrame(points).roll } }
}

/** The face that is seen when a known one is turned by `-roll` and brought to the size that the model likes best. */
async function lookAt(picture: Picture, points: MeshPoints, roll: number, zoom: number, host: EngineHost) {
  const { eyes, eyesToChin } = headFrame(points)
  if (!(eyesToChin > 0)) return undefined
  const place = { x: side / 2, y: framing.eyes * side }
  const view = similarityTo(eyes, place, -roll, (zoom * framing.eyesToChin * side) / eyesToChin)
  const seen = await nearest(resamplePicture(picture, view, side, side), host)
  if (!seen) return undefined
  const back = placed(seen.points, inverse(view))
  return { ...seen, points: back, pose: { ...seen.pose, roll: headFrame(back).roll } }
}

/** The face whose eyes are nearest to where they were put. */
async function nearest(square: Picture, host: EngineHost): Promise<Face | undefined> {
  const away = ({ points }: Face): number => {
    const { eyes } = headFrame(points)
    return Math.hypot(eyes.x - side / 2, eyes.y - framing.eyes * side)
  }
  const [first] = (await host.faces(square)).toSorted((a, b) => away(a) - away(b))
  return first && away(first) < 0.15 * side ? first : undefined
}

function placed(points: MeshPoints, to: Similarity): MeshPoints {
  return points.map(([x, y, depth]) => {
    const point = transform(to, { x, y })
    return [point.x, point.y, depth * to.scale] as const
  })
}

const searchSide = 1024
/** Quarter turns first: cameras that do not say how they were held. */
const turns = [Math.PI / 2, -Math.PI / 2, Math.PI, Math.PI / 4, -Math.PI / 4]
/** Confidence of the detector in a face seen upright and large: of true ones, below which it may stand on its head, and of none. */
const confidences = { sure: 0.8, least: 0.5 }
/** Cosine of the tilt from which a picture counts as held slantwise. */
const slanted = 0.8

/**
 * The faces of a picture, the largest first, even if it lies on its side, stands on its head, or was taken slantwise: it is turned until
 * faces are found. Meshes and poses are those of {@link uprightFace}. `reduced` is the same picture smaller, where a caller has it.
 */
export async function findFacesAnyhow(picture: Picture, host: EngineHost, reduced = picture): Promise<Face[]> {
  const enlarge = { scale: picture.width / reduced.width, angle: 0, x: 0, y: 0 }
  const straight = (await findFaces(reduced, host)).map((face) => turnedBack(face, enlarge))
  let best = await upright(picture, straight, host)
  for (const angle of turns) {
    if (surest(best) >= confidences.sure) break
    const found = await upright(picture, await facesInTurned(picture, angle, host), host)
    if (surest(found) > surest(best)) best = found
  }
  // People are tilted alike: seen as the largest face is held, the others are found more easily.
  const roll = best[0]?.pose.roll ?? 0
  if (Math.cos(roll) > slanted) return best
  const again = await upright(picture, await facesInTurned(picture, -roll, host), host)
  return again.length > best.length ? again : best
}

const surest = (faces: readonly Face[]): number => Math.max(0, ...faces.map(({ confidence }) => confidence))

/** The faces seen upright, those that stood on their head turned, without what is none when it is seen so. */
async function upright(picture: Picture, faces: readonly Face[], host: EngineHost): Promise<Face[]> {
  const kept: Face[] = []
  for (const face of faces) {
    const seen = await uprightFace(picture, face, host)
    const other = seen.confidence < confidences.sure ? await uprightFace(picture, onItsHead(seen), host) : seen
    const better = other.confidence > seen.confidence ? other : seen
    if (better.confidence > confidences.least && better.fit > 0.5) kept.push(better)
  }
  return kept
}

/** The face as if it were upside down. */
function onItsHead(face: Face): Face {
  const { x, y } = headFrame(face.points).centre
  return { ...face, confidence: 0, points: placed(face.points, { scale: 1, angle: Math.PI, x: 2 * x, y: 2 * y }) }
}

async function facesInTurned(picture: Picture, angle: number, host: EngineHost): Promise<Face[]> {
  const reduced = fitWithin(picture, searchSide)
  const [cos, sin] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))]
  const width = Math.round(reduced.width * cos + reduced.height * sin)
  const height = Math.round(reduced.width * sin + reduced.height * cos)
  const middle = { x: picture.width / 2, y: picture.height / 2 }
  const turn = similarityTo(middle, { x: width / 2, y: height / 2 }, angle, reduced.width / picture.width)
  const faces = await findFaces(resamplePicture(picture, turn, width, height), host)
  return faces.map((face) => turnedBack(face, inverse(turn)))
}

function turnedBack(face: Face, back: Similarity): Face {
  const { x, y, width, height } = face.box
  const centre = transform(back, { x: x + width / 2, y: y + height / 2 })
  const size = { width: width * back.scale, height: height * back.scale }
  return {
    ...face,
    box: { x: centre.x - size.width / 2, y: centre.y - size.height / 2, ...size },
    points: placed(face.points, back),
  }
}
