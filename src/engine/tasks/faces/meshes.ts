import type { EngineHost, MeshPoints } from '#engine/host.ts'
import type { Picture } from '#engine/image/picture.ts'
import { findFaces } from './faces.ts'

/** The mesh of every face in a picture, the largest first; see {@link findFaces}. */
export async function faceMeshes(picture: Picture, host: EngineHost): Promise<MeshPoints[]> {
  return (await findFaces(picture, host)).map(({ points }) => points)
}
