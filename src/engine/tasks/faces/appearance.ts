import type { Face } from '#engine/host.ts'
import { fillPolygon } from '#engine/image/geometry.ts'
import { erode } from '#engine/image/morphology.ts'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { boxBlur } from '#engine/image/plane.ts'
import { lumaOf } from '#engine/image/tones.ts'
import type { Box } from '#shared/media.ts'
import { meshBox, placeMesh } from './mesh-geometry.ts'
import { meshArea, outlineOf } from './regions.ts'
import { warpMap, warpPicture } from './warp.ts'

/** Width of the common face in pixels, and the side of the square blocks that are compared. */
const side = 96
const block = 16
/** Radius in pixels for the local normalisation of brightness and contrast. */
const reach = 9

/**
 * Similarity of appearance, −1 to 1, beside embeddings: both faces are warped onto one mesh,
 * normalised locally and compared block by block (mean normalised cross-correlation). `seen` limits
 * it to a mask. The same face in different light stays above 0.5; two people score near 0.2.
 */
export function appearanceLikeness(
  a: { picture: Picture; face: Face },
  b: { picture: Picture; face: Face },
  common: Face,
  seen?: { mask: Plane; box: Box },
): number {
  const box = meshBox(common.points)
  const scale = side / box.width
  const mesh = placeMesh(common.points, box.x, box.y, scale)
  const size = { width: side, height: Math.ceil(box.height * scale) }
  const inner = meshArea(size, mesh, 'face')
  fillPolygon(inner, outlineOf(mesh, 'mouth'), 0)
  if (seen) maskOutside(inner, seen, box, scale)
  const where = erode(inner, Math.round(0.02 * side))
  const [first, second] = [a, b].map(({ picture, face }) => {
    return normalized(warpPicture(picture, warpMap(face.points, mesh, size.width, size.height)))
  }) as [Plane, Plane]
  let sum = 0
  let count = 0
  for (let y = 0; y + block <= size.height; y += block / 2) {
    for (let x = 0; x + block <= size.width; x += block / 2) {
      const value = correlation(first, second, where, x, y)
      if (value === undefined) continue
      sum += value
      count++
    }
  }
  return count > 0 ? sum / count : 0
}

function maskOutside(inner: Plane, { mask, box: part }: { mask: Plane; box: Box }, box: Box, scale: number): void {
  for (let y = 0; y < inner.height; y++) {
    for (let x = 0; x < inner.width; x++) {
      const column = Math.floor((box.x + (x + 0.5) / scale - part.x) * (mask.width / part.width))
      const row = Math.floor((box.y + (y + 0.5) / scale - part.y) * (mask.height / part.height))
      const outside = column < 0 || row < 0 || column >= mask.width || row >= mask.height
      if (outside || (mask.data[row * mask.width + column] as number) < 0.5) inner.data[y * inner.width + x] = 0
    }
  }
}

function normalized(picture: Picture): Plane {
  const { width, height } = picture
  const luma = lumaOf(picture)
  const fine = boxBlur(luma, 1)
  const mean = boxBlur(fine, reach)
  const squares = boxBlur({ width, height, data: fine.data.map((value) => value * value) }, reach)
  for (let i = 0; i < fine.data.length; i++) {
    const own = mean.data[i] as number
    const deviation = Math.sqrt(Math.max(0, (squares.data[i] as number) - own * own))
    fine.data[i] = ((fine.data[i] as number) - own) / (deviation + 3)
  }
  return fine
}

function correlation(a: Plane, b: Plane, where: Plane, left: number, top: number): number | undefined {
  let [n, su, sv, suu, svv, suv] = [0, 0, 0, 0, 0, 0]
  for (let y = top; y < top + block; y++) {
    for (let i = y * a.width + left; i < y * a.width + left + block; i++) {
      if ((where.data[i] as number) < 0.5) continue
      const [u, v] = [a.data[i] as number, b.data[i] as number]
      n++
      su += u
      sv += v
      suu += u * u
      svv += v * v
      suv += u * v
    }
  }
  if (n < 0.6 * block * block) return undefined
  const spread = Math.sqrt(Math.max(0, suu - (su * su) / n) * Math.max(0, svv - (sv * sv) / n))
  return spread > 1e-6 ? (suv - (su * sv) / n) / spread : 0
}
