import type { EngineHost, Face, MeshPoints } from '#engine/host.ts'
import { boundsOf, clipBox, growBox, wholeOf } from '#engine/image/geometry.ts'
import { dilate, pixelwiseMax } from '#engine/image/morphology.ts'
import { createPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { blendPicture, cropPicture, cropPlane, pastePicture, pastePlane } from '#engine/image/pixels.ts'
import { resizeSmooth, shrink } from '#engine/image/plane.ts'
import { meshBox, placeMesh } from '#engine/tasks/faces/mesh-geometry.ts'
import { meshArea } from '#engine/tasks/faces/regions.ts'
import { rimlessArms } from '#engine/tasks/faces/rimless-glasses.ts'
import { inpaint } from '#engine/tasks/inpaint/index.ts'
import type { Box } from '#shared/media.ts'
import type { TargetGlasses } from './glasses.ts'

/** Margins around the face for glasses, and around fillings, as shares of its width. */
const glassesMargin = 0.35
const fillMargin = 0.08
const hiddenShare = 0.95

/** Extent of lashes around an eye, as a share of the face's width. */
const lashExtent = 0.05

interface SwappedFace {
  box: Box
  picture: Picture
  alpha: Plane
}

/**
 * Fills visible rims near the outline from their surroundings ({@link inpaint}). `worn` is over the
 * swapped face at any size; `scale` is that of the glasses' search. Returns a larger box.
 */
export async function removeGlassesRims(
  { picture: target, face: { points } }: { picture: Picture; face: Face },
  { box: inner, picture, alpha }: SwappedFace,
  { worn, scale, rimless = false }: { worn: Pick<TargetGlasses, 'rims'>; scale: number; rimless?: boolean },
  host: Pick<EngineHost, 'resize'>,
): Promise<SwappedFace> {
  const unit = meshBox(points).width
  const box = clipBox(growBox(meshBox(points), glassesMargin * unit), target) ?? inner
  const place = { x: inner.x - box.x, y: inner.y - box.y }
  const before = cropPicture(target, box)
  const size = {
    width: Math.max(8, Math.round(box.width * scale)),
    height: Math.max(8, Math.round(box.height * scale)),
  }
  const widened = (plane: Plane) => pastePlane(createPlane(box.width, box.height), plane, place)
  const seen = (plane: Plane) =>
    shrink(widened(resizeSmooth(plane, inner.width, inner.height)), size.width, size.height)
  const mesh = placeMesh(points, box.x, box.y, scale)
  const rims = seen(worn.rims)
  const found = { ...rims, data: rims.data.map((value) => (value > 0.1 ? 1 : 0)) }
  const reduced = rimless && scale < 1 ? await host.resize(before, size.width, size.height) : before
  const hole = dilate(rimless ? pixelwiseMax([found, rimlessArms(reduced, mesh)]) : found, 1)
  const over = widened(alpha)
  const shown = shrink(over, size.width, size.height)
  for (let i = 0; i < hole.data.length; i++) if ((shown.data[i] as number) > hiddenShare) hole.data[i] = 0
  pastePicture(before, picture, place.x, place.y)
  const swapped = scale < 1 ? await host.resize(before, size.width, size.height) : before
  const filled = fillSides(swapped, hole, mesh)
  blendFilling(before, scale < 1 ? await host.resize(filled, box.width, box.height) : filled, hole)
  return { box, picture: before, alpha: over }
}

/** Halves are separate, as the face is between them; masks lashes, which would be continued. */
function fillSides(picture: Picture, hole: Plane, mesh: MeshPoints): Picture {
  const unit = meshBox(mesh).width
  const out = cropPicture(picture, wholeOf(picture))
  const eyes = meshArea(picture, mesh, 'leftEye', 'rightEye')
  const near = dilate(hole, Math.round(lashExtent * unit))
  const lashes = dilate(eyes, Math.max(1, Math.round(lashExtent * unit)))
  for (let i = 0; i < lashes.data.length; i++) lashes.data[i] = (lashes.data[i] as number) * (near.data[i] as number)
  const half = picture.width >> 1
  for (const x of [0, half]) {
    const side = cropPlane(hole, x, 0, x === 0 ? half : picture.width - half, picture.height)
    const found = boundsOf(side, 0.5)
    const box = found && clipBox(growBox({ ...found, x: found.x + x }, Math.round(fillMargin * unit)), picture)
    if (!box) continue
    const mask = cropPlane(pixelwiseMax([hole, lashes]), box.x, box.y, box.width, box.height)
    pastePicture(out, inpaint(cropPicture(picture, box), mask), box.x, box.y)
  }
  return out
}

/** Blends a filling into its hole with a soft edge, in place; the hole may have another size. */
function blendFilling(picture: Picture, filling: Picture, hole: Plane): void {
  const share = resizeSmooth(hole, picture.width, picture.height)
  blendPicture(picture, filling, { ...share, data: share.data.map((value) => Math.min(1, 2 * value)) })
}
