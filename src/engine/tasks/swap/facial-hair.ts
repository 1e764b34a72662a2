import type { EngineHost, MeshPoints } from '#engine/host.ts'
import { clipBox, growBox } from '#engine/image/geometry.ts'
import { dilate } from '#engine/image/morphology.ts'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { cropPicture, fitWithin } from '#engine/image/pixels.ts'
import { meshBox, placeMesh } from '#engine/tasks/faces/mesh-geometry.ts'
import { meshArea } from '#engine/tasks/faces/regions.ts'
import { type FaceAreas, type FaceSurface, faceAreas, faceSurface } from '#engine/tasks/faces/skin.ts'
import { strandsOver } from './strands.ts'
import type { PicturedFace } from './swap-face.ts'

/** Points of the mesh for either half: the brow, the forehead right above it, and the cheek. */
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
 * How much darker than the cheek, as a logarithm of green, a brow and the forehead above it are
 * where hair lies over both: no brow on a bare forehead is. From 14 faces that judge nothing.
 */
const hair = { brow: -0.9, above: -0.4 } as const
/** Sides in pixels at which hair is looked for: strands are thin. */
const sides = { beard: 160, fringe: 260 } as const

/**
 * Where strands of hair cover such a share of the skin around a brow, they lie over it too. From 77
 * faces that judge nothing.
 */
const fringed = 0.18
/** How far around a brow that skin is, as a share of the face's width. */
const aroundBrow = 0.12
/** Strands are not seen in faces narrower than this in pixels, but whatever else is as thin. */
const leastWidth = 130

/** Whether hair covers a brow of a face: taken along, it would become the other face's brow. */
export async function hasFringe(face: PicturedFace, host: Pick<EngineHost, 'resize'>): Promise<boolean> {
  const { part, mesh } = await reduced(face, sides.fringe, host)
  const dark = halves.some(({ brow, above, cheek }) => {
    const [over, on, beside] = [above, brow, cheek].map((points) => {
      return lightWithin(part, meshArea(part, mesh, points))
    }) as [number, number, number]
    return on - beside < hair.brow && over - beside < hair.above
  })
  return dark || haveStrands(part, mesh)
}

/** Whether strands of hair lie over a brow; glasses are looked for only where something does. */
function haveStrands(part: Picture, mesh: MeshPoints): boolean {
  if (meshBox(mesh).width < leastWidth) return false
  const areas = faceAreas(part, mesh)
  if (!areCrossed(part, mesh, areas)) return false
  const { lenses } = faceSurface(part, mesh)
  return !lenses || areCrossed(part, mesh, { ...areas, lenses })
}

function areCrossed(part: Picture, mesh: MeshPoints, face: FaceAreas & Pick<FaceSurface, 'lenses'>): boolean {
  const unit = meshBox(mesh).width
  const strands = strandsOver(part, face, unit)
  return halves.some(({ brow }) => {
    const around = dilate(meshArea(part, mesh, brow), Math.round(aroundBrow * unit))
    let [covered, skin] = [0, 0]
    for (let i = 0; i < around.data.length; i++) {
      if ((around.data[i] as number) === 0 || (face.features.data[i] as number) > 0) continue
      covered += strands.data[i] as number
      skin += face.hull.data[i] as number
    }
    return covered > fringed * skin
  })
}

/** Whether a face has a beard, of which a face without one would leave patches. */
export async function hasBeard(face: PicturedFace, host: Pick<EngineHost, 'resize'>): Promise<boolean> {
  const { part, mesh } = await reduced(face, sides.beard, host)
  return faceSurface(part, mesh).beard !== undefined
}

async function reduced({ picture, face }: PicturedFace, side: number, host: Pick<EngineHost, 'resize'>) {
  const place = meshBox(face.points)
  const box = clipBox(growBox(place, 0.05 * place.width), picture) ?? place
  const size = fitWithin(box, side)
  const part = await host.resize(cropPicture(picture, box), size.width, size.height)
  return { part, mesh: placeMesh(face.points, box.x, box.y, size.width / box.width) }
}

/** The mean logarithm of green in a part of a picture. */
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
