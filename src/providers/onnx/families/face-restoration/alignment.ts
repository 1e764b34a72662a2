import type { Similarity } from '#engine/image/geometry.ts'
import type { FacePoints } from '#engine/task-types.ts'

/** Eyes, nose and corners of the mouth in FFHQ's faces of 512 pixels, as shares of the side. */
const ffhq: FacePoints = [
  [0.3769, 0.4686],
  [0.6229, 0.4691],
  [0.5012, 0.6133],
  [0.3931, 0.7254],
  [0.6115, 0.7249],
]

/** Least-squares similarity from a face to the network's alignment (Umeyama 1991). */
export function alignFace(face: FacePoints, side: number): Similarity {
  const target = ffhq.map(([x, y]) => [x * side, y * side] as const)
  const [from, to] = [middle(face), middle(target)]
  let [along, across, spread] = [0, 0, 0]
  for (const [i, [px, py]] of face.entries()) {
    const [qx, qy] = target[i] as readonly [number, number]
    const [ax, ay, bx, by] = [px - from[0], py - from[1], qx - to[0], qy - to[1]]
    along += ax * bx + ay * by
    across += ax * by - ay * bx
    spread += ax * ax + ay * ay
  }
  const [cos, sin] = [along / spread, across / spread]
  return {
    scale: Math.hypot(cos, sin),
    angle: Math.atan2(sin, cos),
    x: to[0] - cos * from[0] + sin * from[1],
    y: to[1] - sin * from[0] - cos * from[1],
  }
}

function middle(points: FacePoints): readonly [number, number] {
  const mean = (axis: 0 | 1) => points.reduce((sum, point) => sum + point[axis], 0) / points.length
  return [mean(0), mean(1)]
}
