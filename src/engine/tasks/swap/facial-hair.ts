import type { EngineHost, MeshPoints } from '#engine/host.ts'
import { clipBox, growBox } from '#engine/image/geometry.ts'
import { dilate } from '#engine/image/morphology.ts'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { cropPicture, fitWithin } from '#engine/image/pixels.ts'
import { meshBox, placeMesh } from '#engine/tasks/faces/mesh-geometry.ts'
import { meshArea } from '#engine/tasks/faces/regions.ts'
import { type FaceAreas, type FaceSurface, faceAreas, faceSurface } from '#engine/tasks/faces/skin.ts'
import { hairStrands } from './blend-mask.ts'
import type { FaceInPicture } from './swap-face.ts'

const halves = [
  {
    brow: [70, 63, 105, 66, 107, 55, 65, 52, 53, 46],
    above: [103, 67, 109, 66, 105, 63],
    cheek: [116, 117, 118, 100, 142, 203, 206, 216, 207, 187, 123],
  },
  {
    brow: [300, 293, 334, 296, 336, 285, 295, 282, 283, 276],
    above: [338, 297, 332, 293, 334, 296],
    cheek: [345, 346, 347, 329, 371, 423, 426, 436, 427, 411, 352],
  },
] as const
/**
 * Logarithm of green relative to the cheek when hair covers brow and forehead; no bare forehead has
 * such a brow. Chosen on 14 faces not used for judging.
 */
const coveredBrowDarkness = { brow: -0.9, above: -0.4 } as const
/** Sides in pixels of the pictures in which hair is searched; thin strands need more. */
const searchSides = { beard: 160, fringe: 260 } as const

/** Strands over this share around a brow cover it too; set on 77 faces not used for judging. */
const fringeShare = 0.18
/** In face widths. */
const aroundBrow = 0.12
/** In pixels; in smaller faces, other thin details pass for strands. */
const minWidth = 130

/** True if hair covers a brow of a face; it would become the other face's brow. */
export async function hasHairOverBrow(face: FaceInPicture, host: Pick<EngineHost, 'resize'>): Promise<boolean> {
  const { part, mesh } = await reduced(face, searchSides.fringe, host)
  const dark = halves.some(({ brow, above, cheek }) => {
    const [over, on, beside] = [above, brow, cheek].map((points) => {
      return lightWithin(part, meshArea(part, mesh, points))
    }) as [number, number, number]
    return on - beside < coveredBrowDarkness.brow && over - beside < coveredBrowDarkness.above
  })
  return dark || haveStrands(part, mesh)
}

/** Detects glasses only if strands cross a brow, because it is slower. */
function haveStrands(part: Picture, mesh: MeshPoints): boolean {
  if (meshBox(mesh).width < minWidth) return false
  const areas = faceAreas(part, mesh)
  if (!areBrowsCrossed(part, mesh, areas)) return false
  const { lenses } = faceSurface(part, mesh)
  return !lenses || areBrowsCrossed(part, mesh, { ...areas, lenses })
}

function areBrowsCrossed(part: Picture, mesh: MeshPoints, face: FaceAreas & Pick<FaceSurface, 'lenses'>): boolean {
  const unit = meshBox(mesh).width
  const strands = hairStrands(part, face, unit)
  return halves.some(({ brow }) => {
    const around = dilate(meshArea(part, mesh, brow), Math.round(aroundBrow * unit))
    let [covered, skin] = [0, 0]
    for (let i = 0; i < around.data.length; i++) {
      if ((around.data[i] as number) === 0 || (face.features.data[i] as number) > 0) continue
      covered += strands.data[i] as number
      skin += face.hull.data[i] as number
    }
    return covered > fringeShare * skin
  })
}

/** True if a face has a beard, which a swapped face without one would leave in patches. */
export async function hasBeard(face: FaceInPicture, host: Pick<EngineHost, 'resize'>): Promise<boolean> {
  const { part, mesh } = await reduced(face, searchSides.beard, host)
  return faceSurface(part, mesh).beard !== undefined
}

async function reduced({ picture, face }: FaceInPicture, side: number, host: Pick<EngineHost, 'resize'>) {
  const place = meshBox(face.points)
  const box = clipBox(growBox(place, 0.05 * place.width), picture) ?? place
  const size = fitWithin(box, side)
  const part = await host.resize(cropPicture(picture, box), size.width, size.height)
  return { part, mesh: placeMesh(face.points, box.x, box.y, size.width / box.width) }
}

function lightWithin(picture: Picture, inside: Plane): number {
  let [sum, area] = [0, 0]
  for (let i = 0; i < inside.data.length; i++) {
    if ((inside.data[i] as number) > 0) {
      sum += Math.log((picture.data[4 * i + 1] as number) + 12)
      area++
    }
  }
  return sum / area
}
