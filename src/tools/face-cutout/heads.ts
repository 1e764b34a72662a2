import type { Box } from '#contract/media.ts'
import { EngineError } from '#engine/error.ts'
import { cutOut } from '#engine/foreground.ts'
import { boundsOf, clipBox, growBox } from '#engine/geometry.ts'
import type { EngineHost, Face, MeshPoints } from '#engine/host.ts'
import type { Picture, Plane } from '#engine/picture.ts'
import { cropPicture } from '#engine/pixels.ts'
import { cropPlane } from '#engine/plane.ts'
import { headFrame } from '#engine/portrait/head.ts'
import { headMatte } from '#engine/portrait/head-matte.ts'
import { moveMesh } from '#engine/portrait/mesh-geometry.ts'
import { findFacesAnyhow } from '#engine/portrait/upright-face.ts'
import { moveBox, resamplePicture, similarityTo } from '#engine/similarity.ts'
import { searchPicture, subjectMatte } from '#engine/subject/subject-matte.ts'
import { maxHeads } from './contract.ts'

/** Distance from the eyes to the chin below which there is nothing to cut out, and below which a cut-out is coarse. */
export const smallest = { face: 12, clear: 45 }
/** A picture in which the largest face is tilted by more than this (cosine) lies on its side. */
const lying = 0.7
/** How far around a head its own and the clothes' colours are looked for, in distances from the eyes to the chin. */
const around = 3.1

/** The faces that can be cut out, the largest first. */
export async function findHeads(source: Picture, host: EngineHost): Promise<Face[]> {
  const faces = await findFacesAnyhow(source, host, await searchPicture(source, host))
  return faces.filter(({ points }) => headFrame(points).eyesToChin >= smallest.face).slice(0, maxHeads)
}

/** Every head, cut out of an upright picture with its hair, in the order of the faces. Throws `engine.no_face`. */
export async function cutHeads(source: Picture, host: EngineHost): Promise<Picture[]> {
  const faces = await findHeads(source, host)
  if (faces.length === 0) throw new EngineError('engine.no_face')
  const { picture, meshes, boxes } = upright(source, faces)
  const reduced = await searchPicture(picture, host)
  const matte = await subjectMatte(picture, { subject: 'person', reduced, faces: boxes }, host)
  const heads: Picture[] = []
  for (const own of meshes) {
    host.signal.throwIfAborted()
    heads.push(await cutHead(picture, matte, own, meshes, host))
  }
  return heads
}

/** A picture that lies on its side is turned; all others stay as they are, pixel by pixel. */
function upright(source: Picture, faces: readonly Face[]): { picture: Picture; meshes: MeshPoints[]; boxes: Box[] } {
  const roll = (faces[0] as Face).pose.roll
  const meshes = faces.map(({ points }) => points)
  const boxes = faces.map(({ box }) => box)
  if (Math.cos(roll) > lying) return { picture: source, meshes, boxes }
  const [cos, sin] = [Math.abs(Math.cos(roll)), Math.abs(Math.sin(roll))]
  const width = Math.round(source.width * cos + source.height * sin)
  const height = Math.round(source.width * sin + source.height * cos)
  const middle = { x: source.width / 2, y: source.height / 2 }
  const turn = similarityTo(middle, { x: width / 2, y: height / 2 }, -roll, 1)
  return {
    picture: resamplePicture(source, turn, width, height),
    meshes: meshes.map((points) => moveMesh(points, turn)),
    boxes: boxes.map((box) => moveBox(box, turn)),
  }
}

async function cutHead(
  picture: Picture,
  matte: Plane,
  own: MeshPoints,
  all: readonly MeshPoints[],
  host: EngineHost,
): Promise<Picture> {
  const { centre, eyesToChin } = headFrame(own)
  const box = clipBox(growBox({ ...centre, width: 0, height: 0 }, around * eyesToChin), picture)
  if (!box) throw new EngineError('engine.no_face')
  const part = cropPicture(picture, box)
  const inside = cropPlane(matte, box.x, box.y, box.width, box.height)
  const shift = { scale: 1, angle: 0, x: -box.x, y: -box.y }
  const meshes = all.map((points) => moveMesh(points, shift))
  const head = headMatte(part, inside, meshes[all.indexOf(own)] as MeshPoints, meshes)
  // Colours are cleaned along the edge of the person; under the chin the neck keeps its own.
  const cut = await cutOut(part, inside, host)
  for (let i = 0; i < head.data.length; i++) cut.data[4 * i + 3] = 255 * (head.data[i] as number)
  const bounds = boundsOf(head, 0.02)
  return bounds ? cropPicture(cut, bounds) : cut
}
