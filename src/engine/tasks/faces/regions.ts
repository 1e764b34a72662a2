import type { MeshPoints } from '#engine/host.ts'
import { fillPolygon, type Point } from '#engine/image/geometry.ts'
import { createPlane, type Plane, type Size } from '#engine/image/picture.ts'
import { feather } from '#engine/image/plane.ts'

type MeshPart = keyof typeof outlines | readonly number[]

/** The mesh is in the plane's pixels. */
export function meshArea({ width, height }: Size, mesh: MeshPoints, ...parts: readonly MeshPart[]): Plane {
  const area = createPlane(width, height)
  for (const part of parts) fillPolygon(area, outlineOf(mesh, part))
  return area
}

/** 0 to 1, feathered by `softness` pixels; `scale` converts the mesh's pixels to the plane's. */
export function faceRegion(
  size: Size,
  faces: readonly MeshPoints[],
  scale: number,
  softness: number,
  parts: readonly MeshPart[] = ['face'],
): Plane {
  const plane = createPlane(size.width, size.height)
  for (const points of faces) {
    const mesh = points.map(([x, y, depth]) => [x * scale, y * scale, depth] as const)
    for (const part of parts) fillPolygon(plane, outlineOf(mesh, part))
  }
  return faces.length > 0 ? feather(plane, softness) : plane
}

/** Share of the pixels with `where` above 0 at which the plane exceeds a threshold. */
export function shareAbove(plane: Plane, where: Plane, threshold: number): number {
  let all = 0
  let above = 0
  for (let i = 0; i < plane.data.length; i++) {
    if ((where.data[i] as number) <= 0) continue
    all++
    if ((plane.data[i] as number) > threshold) above++
  }
  return all > 0 ? above / all : 0
}

/** Indices of MediaPipe's face model. "Left" and "right" are as shown in the picture. */
export const outlines = {
  face: [
    10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288, 397, 365, 379, 378, 400, 377, 152, 148, 176, 149, 150,
    136, 172, 58, 132, 93, 234, 127, 162, 21, 54, 103, 67, 109,
  ],
  leftEye: [33, 246, 161, 160, 159, 158, 157, 173, 133, 155, 154, 153, 145, 144, 163, 7],
  rightEye: [263, 466, 388, 387, 386, 385, 384, 398, 362, 382, 381, 380, 374, 373, 390, 249],
  leftBrow: [70, 63, 105, 66, 107, 55, 65, 52, 53, 46],
  rightBrow: [336, 296, 334, 293, 300, 276, 283, 282, 295, 285],
  lips: [61, 185, 40, 39, 37, 0, 267, 269, 270, 409, 291, 375, 321, 405, 314, 17, 84, 181, 91, 146],
  mouth: [78, 191, 80, 81, 82, 13, 312, 311, 310, 415, 308, 324, 318, 402, 317, 14, 87, 178, 88, 95],
} as const

export const facialFeatures = ['leftEye', 'rightEye', 'leftBrow', 'rightBrow', 'lips'] as const

export function outlineOf(points: MeshPoints, part: MeshPart): Point[] {
  return (typeof part === 'string' ? outlines[part] : part).map((index) => pointOf(points, index))
}

export function pointOf(points: MeshPoints, index: number): Point {
  const [x, y] = points[index] as readonly [number, number, number]
  return { x, y }
}

export function meanPoint(points: readonly Point[]): Point {
  const sum = points.reduce((so, { x, y }) => ({ x: so.x + x, y: so.y + y }), { x: 0, y: 0 })
  return { x: sum.x / points.length, y: sum.y / points.length }
}

export function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y)
}
