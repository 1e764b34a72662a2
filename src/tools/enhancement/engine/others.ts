import type { EngineHost, MeshPoints } from '#engine/host.ts'
import type { Picture } from '#engine/image/picture.ts'
import { alphaOf, fitArea, mixIn } from '#engine/image/pixels.ts'
import { resizeSmooth } from '#engine/image/plane.ts'
import type { TaskWork } from '#engine/task-work.ts'
import { faceRegion, featurePoints, placeMesh } from '#engine/tasks/faces/index.ts'
import type { EnhancementParams } from '../contract/definition.ts'

/** Pixels of the picture in which others restore faces. */
const facesArea = 6_000_000

/**
 * Faces are restored at the size of the result, where that is not too large; `meshes` are of a
 * reduced picture.
 */
export async function facesWork(
  picture: Picture,
  { meshes, width: searched }: { meshes: readonly MeshPoints[]; width: number },
  { scale }: EnhancementParams,
  host: EngineHost,
): Promise<TaskWork['restoreFaces']> {
  const wanted = { width: picture.width * scale, height: picture.height * scale }
  const size = wanted.width * wanted.height > facesArea ? fitArea(wanted, facesArea) : wanted
  const large = await host.resize(picture, size.width, size.height)
  const factor = size.width / searched
  const faces = meshes.map((mesh) => featurePoints(placeMesh(mesh, 0, 0, factor)))
  return { picture: large, faces, strength: 1 }
}

/** What others enlarged, at the size that was asked for and as transparent as the source. */
export async function asLargeAs(made: Picture, source: Picture, scale: number, host: EngineHost): Promise<Picture> {
  const [width, height] = [source.width * scale, source.height * scale]
  const large = await host.resize(made, width, height)
  const alpha = alphaOf(source)
  if (!alpha) return large
  const shown = { width, height, data: large.data.slice() }
  const enlarged = resizeSmooth(alpha, width, height)
  for (let i = 0; i < enlarged.data.length; i++) shown.data[4 * i + 3] = 255 * (enlarged.data[i] as number)
  return shown
}

/**
 * Puts another picture's faces into a picture by `strength`, 0 to 1; `meshes` are in pixels of the
 * source, `scale` times smaller.
 */
export async function setFaces(
  picture: Picture,
  faces: Picture,
  { meshes, scale, strength }: { meshes: readonly MeshPoints[]; scale: number; strength: number },
  host: EngineHost,
): Promise<void> {
  const { width, height } = picture
  const large = await host.resize(faces, width, height)
  const region = faceRegion(picture, meshes, scale, Math.max(width, height) / 200)
  mixIn(picture, large, { ...region, data: region.data.map((share) => strength * share) })
}
