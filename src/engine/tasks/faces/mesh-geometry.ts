import type { Face, MeshPoints } from '#engine/host.ts'
import { moveBox, type Point, type Similarity, transform } from '#engine/image/geometry.ts'
import type { Direction } from '#engine/image/light-probe.ts'
import type { Plane, Size } from '#engine/image/picture.ts'
import { valueAt } from '#engine/image/plane.ts'
import type { FacePoints } from '#engine/task-types.ts'
import type { Box } from '#shared/media.ts'
import { distance, meanPoint, outlineOf, outlines } from './regions.ts'
import faceTriangles from './triangles.json' with { type: 'json' }

type MutablePoints = [number, number, number][]

export function placeMesh(points: MeshPoints, x: number, y: number, scale: number): MeshPoints {
  return points.map((point) => [(point[0] - x) * scale, (point[1] - y) * scale, point[2] * scale] as const)
}

/** Depths are only scaled. */
export function moveMesh(points: MeshPoints, by: Similarity): MeshPoints {
  return points.map(([x, y, depth]) => {
    const point = transform(by, { x, y })
    return [point.x, point.y, depth * by.scale] as const
  })
}

/** The pose stays that of the original picture. */
export function moveFace<Seen extends Pick<Face, 'box' | 'points'>>(face: Seen, by: Similarity): Seen {
  return { ...face, box: moveBox(face.box, by), points: moveMesh(face.points, by) }
}

export function meshBox(points: MeshPoints, indices: readonly number[] = outlines.face): Box {
  const xs = indices.map((index) => (points[index] as readonly number[])[0] as number)
  const ys = indices.map((index) => (points[index] as readonly number[])[1] as number)
  const [x, y] = [Math.min(...xs), Math.min(...ys)]
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y }
}

/** The largest share to the left, right or below; foreheads above the picture do not count. */
export function shareOutsidePicture(points: MeshPoints, picture: Size): number {
  const { x, y, width, height } = meshBox(points)
  return Math.max(0, -x / width, (x + width - picture.width) / width, (y + height - picture.height) / height)
}

/** Mean alpha of a matte at a face's mesh points, 0 to 1. */
export function matteCoverageOfFace(points: MeshPoints, matte: Plane): number {
  return points.reduce((sum, [x, y]) => sum + valueAt(matte, x, y), 0) / points.length
}

/** Mean distance between the points of two meshes, as a share of the first face's width. */
export function meshOffset(points: MeshPoints, others: MeshPoints): number {
  const apart = points.reduce((sum, [x, y], i) => {
    const [left = x, top = y] = others[i] ?? []
    return sum + Math.hypot(x - left, y - top)
  }, 0)
  return apart / points.length / meshBox(points).width
}

export function meshCentre(points: MeshPoints, indices: readonly number[]): [number, number, number] {
  const sum: [number, number, number] = [0, 0, 0]
  for (const index of indices) {
    for (let c = 0; c < 3; c++) sum[c] = (sum[c] as number) + ((points[index] as readonly number[])[c] as number)
  }
  return sum.map((value) => value / indices.length) as [number, number, number]
}

/** Eye centres, nose tip and corners of the mouth, from left to right. */
export function featurePoints(points: MeshPoints): FacePoints {
  const at = (...indices: number[]) => meshCentre(points, indices).slice(0, 2) as [number, number]
  return [at(33, 133), at(362, 263), at(1), at(61), at(291)]
}

/** Height by width, relative to the line of its corners. */
export function openness(points: MeshPoints, name: 'leftEye' | 'rightEye' | 'mouth'): number {
  const [first, last] = { leftEye: [33, 133], rightEye: [362, 263], mouth: [78, 308] }[name] as [number, number]
  const [a, b] = [points[first] as readonly number[], points[last] as readonly number[]]
  const [dx, dy] = [(b[0] as number) - (a[0] as number), (b[1] as number) - (a[1] as number)]
  const length = Math.hypot(dx, dy) || 1
  const away = outlines[name].map((index) => {
    const p = points[index] as readonly number[]
    return (((p[1] as number) - (a[1] as number)) * dx - ((p[0] as number) - (a[0] as number)) * dy) / length
  })
  return (Math.max(...away) - Math.min(...away)) / length
}

/** Least-squares similarity (rotation in space, scale, shift) by Horn's quaternions (1987). */
export function alignMesh(points: MeshPoints, to: MeshPoints): MeshPoints {
  const all = points.map((_, index) => index)
  const from = meshCentre(points, all)
  const goal = meshCentre(to, all)
  const s = new Float64Array(9)
  let spread = 0
  for (const [index, point] of points.entries()) {
    const other = to[index] as readonly number[]
    for (let i = 0; i < 3; i++) {
      const own = (point[i] as number) - (from[i] as number)
      spread += own * own
      for (let j = 0; j < 3; j++) {
        s[3 * i + j] = (s[3 * i + j] as number) + own * ((other[j] as number) - (goal[j] as number))
      }
    }
  }
  const turn = rotationOf(s)
  let along = 0
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++) along += (turn[3 * j + i] as number) * (s[3 * i + j] as number)
  const scale = along / (spread || 1)
  return points.map((point) => {
    const out: [number, number, number] = [...goal]
    for (let j = 0; j < 3; j++) {
      for (let i = 0; i < 3; i++) {
        const own = (point[i] as number) - (from[i] as number)
        out[j] = (out[j] as number) + scale * (turn[3 * j + i] as number) * own
      }
    }
    return out
  })
}

/** From a cross-covariance matrix: Horn's quaternion by power iteration. */
function rotationOf(s: Float64Array): number[] {
  const [xx, xy, xz, yx, yy, yz, zx, zy, zz] = s as unknown as number[] & { length: 9 }
  const n = [
    [xx! + yy! + zz!, yz! - zy!, zx! - xz!, xy! - yx!],
    [yz! - zy!, xx! - yy! - zz!, xy! + yx!, zx! + xz!],
    [zx! - xz!, xy! + yx!, yy! - xx! - zz!, yz! + zy!],
    [xy! - yx!, zx! + xz!, yz! + zy!, zz! - xx! - yy!],
  ]
  // Positive eigenvalues let power iteration converge to the largest.
  const shift = Math.max(...n.map((row) => row.reduce((sum, value) => sum + Math.abs(value), 0)))
  let q = [1, 0.01, 0.01, 0.01]
  for (let round = 0, change = 1; round < 2000 && change > 1e-12; round++) {
    const next = n.map((row, i) => row.reduce((sum, value, j) => sum + value * q[j]!, shift * q[i]!))
    const length = Math.hypot(...next) || 1
    change = Math.max(...next.map((value, i) => Math.abs(value / length - q[i]!)))
    q = next.map((value) => value / length)
  }
  const [w, x, y, z] = q as [number, number, number, number]
  return [
    1 - 2 * (y * y + z * z),
    2 * (x * y - w * z),
    2 * (x * z + w * y),
    2 * (x * y + w * z),
    1 - 2 * (x * x + z * z),
    2 * (y * z - w * x),
    2 * (x * z - w * y),
    2 * (y * z + w * x),
    1 - 2 * (x * x + y * y),
  ]
}

/** Axes along and across the line of the eyes, which are independent of a head's tilt. */
export interface FaceAxes {
  /** The face's width in pixels. */
  unit: number
  middle: Point
  /** Unit vectors towards the right eye and towards the chin. */
  across: Point
  down: Point
}

export function faceAxes(mesh: MeshPoints): FaceAxes {
  const [left, right] = [meanPoint(outlineOf(mesh, 'leftEye')), meanPoint(outlineOf(mesh, 'rightEye'))]
  const apart = distance(left, right) || 1
  const across = { x: (right.x - left.x) / apart, y: (right.y - left.y) / apart }
  return { unit: meshBox(mesh).width, middle: meanPoint([left, right]), across, down: { x: -across.y, y: across.x } }
}

/** Distance of a point below the line of the eyes, in pixels. */
export function belowEyes({ middle, down }: FaceAxes, x: number, y: number): number {
  return (x - middle.x) * down.x + (y - middle.y) * down.y
}

export function copyMesh(points: MeshPoints): MutablePoints {
  return points.map(([x, y, z]) => [x, y, z])
}

/** Meshes for storage: rows of alternating x and y, in shares of the picture's size. */
export function packMeshes(meshes: readonly MeshPoints[], { width, height }: Size): number[][] {
  return meshes.map((points) => points.flatMap(([x, y]) => [rounded(x / width), rounded(y / height)]))
}

/** Stored meshes in the pixels of a picture; depths are lost. */
export function unpackMeshes(rows: readonly (readonly number[])[], { width, height }: Size): MeshPoints[] {
  return rows.map((row) =>
    Array.from(
      { length: row.length / 2 },
      (_, i) => [(row[2 * i] as number) * width, (row[2 * i + 1] as number) * height, 0] as const,
    ),
  )
}

/** A mesh for storage in pixels: alternating x, y and depth, rounded to hundredths. */
export const flattenMesh = (mesh: MeshPoints): number[] =>
  mesh.flatMap((point) => point.map((value) => Math.round(value * 100) / 100))

export const unflattenMesh = (values: readonly number[]): MeshPoints =>
  Array.from({ length: values.length / 3 }, (_, i) => values.slice(3 * i, 3 * i + 3) as [number, number, number])

const rounded = (value: number) => Math.round(value * 10_000) / 10_000

/** Unit normals of the mesh's points that face the camera; x to the right, y down, z away. */
export function meshNormals(mesh: MeshPoints): Direction[] {
  const sums = mesh.map((): [number, number, number] => [0, 0, 0])
  for (let start = 0; start < faceTriangles.length; start += 3) {
    const corners = [0, 1, 2].map((k) => faceTriangles[start + k] as number)
    const [a, b, c] = corners.map((index) => mesh[index]) as [Direction, Direction, Direction]
    const normal = cross(minus(b, a), minus(c, a))
    // Depth grows away from the camera; normals have to point towards the camera.
    const sign = normal[2] > 0 ? -1 : 1
    for (const index of corners) {
      const sum = sums[index] as [number, number, number]
      for (let k = 0; k < 3; k++) sum[k] = (sum[k] as number) + sign * (normal[k] as number)
    }
  }
  return sums.map(normalised)
}

const minus = (a: Direction, b: Direction): Direction => [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
const cross = (a: Direction, b: Direction): Direction => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]

export function normalised([x, y, z]: Direction): Direction {
  const length = Math.hypot(x, y, z) || 1
  return [x / length, y / length, z / length]
}
