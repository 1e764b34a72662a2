import type { MeshPoints } from '#engine/host.ts'
import { clipBox, growBox } from '#engine/image/geometry.ts'
import { createPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { cropPicture, pastePicture } from '#engine/image/pixels.ts'
import { feather, smoothRows } from '#engine/image/plane.ts'
import { lumaOf } from '#engine/image/tones.ts'
import { meshBox, placeMesh } from '#engine/tasks/faces/mesh-geometry.ts'
import { meshArea, outlines } from '#engine/tasks/faces/regions.ts'

/** Limits of the smoothed band in face widths: pores are finer, shape and light coarser. */
const pores = 0.007
const shapes = 0.04
/** Larger differences (8-bit) are folds, moles or stubble, which belong to the person and stay. */
const keptDifference = 26

/**
 * Smooths skin in place by frequency separation: only the middle of three bands (blemishes) is
 * reduced, most in dark and red spots. `skin` may have any size; `strength` is 0 to 1.
 */
export function retouchSkin(picture: Picture, mesh: MeshPoints, skin: Plane, strength: number): void {
  if (strength <= 0) return
  const face = meshBox(mesh)
  const box = clipBox(growBox(face, 2 * shapes * face.width), picture)
  if (!box) return
  const part = cropPicture(picture, box)
  const { width, height, data } = part
  const unit = face.width
  const mask = createPlane(width, height)
  const skinRow = smoothRows(skin, picture.width, picture.height)
  for (let y = 0; y < height; y++) mask.data.set(skinRow(box.y + y).subarray(box.x, box.x + width), y * width)
  const wide = Math.max(2, Math.round(shapes * unit))
  const weight = feather(mask, wide)
  for (let channel = 0; channel < 3; channel++) {
    const values = createPlane(width, height)
    const weighted = createPlane(width, height)
    for (let i = 0; i < values.data.length; i++) {
      const value = data[4 * i + channel] as number
      values.data[i] = value
      weighted.data[i] = value * (mask.data[i] as number)
    }
    const upper = feather(values, pores * unit)
    // Only skin counts, so that hair and lips do not darken the skin beside them.
    const lower = feather(weighted, wide)
    for (let i = 0; i < values.data.length; i++) {
      const cover = mask.data[i] as number
      if (cover <= 0.01) continue
      const band = (upper.data[i] as number) - (lower.data[i] as number) / Math.max(1e-3, weight.data[i] as number)
      const keep = Math.exp(-((band / keptDifference) ** 2))
      const share = strength * cover * keep * (band < 0 ? 0.85 : 0.6)
      data[4 * i + channel] = (data[4 * i + channel] as number) - share * band
    }
  }
  pastePicture(picture, part, box.x, box.y)
}

/** Strength of the eyes' sharpening, and its radius as a share of the face's width. */
const eyeAmount = 0.7
const eyeReach = 0.008

/** Sharpens eyes, lashes and brows slightly, in place, with a limit against halos. */
export function sharpenEyes(picture: Picture, mesh: MeshPoints, strength: number): void {
  const unit = meshBox(mesh).width
  const parts = ['leftEye', 'rightEye', 'leftBrow', 'rightBrow'] as const
  const around = meshBox(
    mesh,
    parts.flatMap((name) => [...outlines[name]]),
  )
  const box = clipBox(growBox(around, 0.06 * unit), picture)
  if (!box) return
  const part = cropPicture(picture, box)
  const { data } = part
  const mask = feather(meshArea(part, placeMesh(mesh, box.x, box.y, 1), ...parts), 0.018 * unit)
  const luma = lumaOf(part)
  const soft = feather(luma, eyeReach * unit)
  for (let i = 0; i < luma.data.length; i++) {
    const cover = Math.min(1, 1.6 * (mask.data[i] as number))
    if (cover <= 0.01) continue
    const detail = Math.max(-22, Math.min(22, (luma.data[i] as number) - (soft.data[i] as number)))
    const gain = strength * eyeAmount * cover * detail
    for (let c = 0; c < 3; c++) data[4 * i + c] = (data[4 * i + c] as number) + gain
  }
  pastePicture(picture, part, box.x, box.y)
}
