import type { MeshPoints } from '#engine/host.ts'
import type { Direction } from '#engine/image/irradiance.ts'
import faceTriangles from './triangles.json' with { type: 'json' }

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
