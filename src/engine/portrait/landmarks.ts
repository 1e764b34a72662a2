import type { MeshPoints } from '../host.ts'

export interface Point {
  x: number
  y: number
}

/** Indices into the mesh, by MediaPipe's canonical face model. "Left" and "right" are as the picture shows them. */
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

/** The points of an outline, in its order. */
export function outlineOf(points: MeshPoints, name: keyof typeof outlines): Point[] {
  return outlines[name].map((index) => at(points, index))
}

/** What a head's size and place are measured by. Lengths are in pixels. */
export interface HeadFrame {
  leftEye: Point
  rightEye: Point
  /** Between the eyes. */
  eyes: Point
  chin: Point
  mouth: Point
  /** Angle of the eye line against the horizontal in radians; positive when the picture's right eye is lower. */
  roll: number
  /** Unit vector from the crown to the chin. */
  down: Point
  /** Distance from the eye line to the chin along {@link down}. */
  eyesToChin: number
  /** Width of the face at its widest. */
  width: number
}

/**
 * Measures a head on its mesh. The roll comes from the eye corners, which the mesh places most reliably; the chin is its lowest point along the
 * face's own axis.
 */
export function headFrame(points: MeshPoints): HeadFrame {
  const leftEye = middle(at(points, 33), at(points, 133))
  const rightEye = middle(at(points, 362), at(points, 263))
  const eyes = middle(leftEye, rightEye)
  const roll = Math.atan2(rightEye.y - leftEye.y, rightEye.x - leftEye.x)
  const down = { x: -Math.sin(roll), y: Math.cos(roll) }
  const along = (point: Point) => (point.x - eyes.x) * down.x + (point.y - eyes.y) * down.y
  const across = (point: Point) => (point.x - eyes.x) * down.y - (point.y - eyes.y) * down.x
  const outline = outlineOf(points, 'face')
  const chin = outline.reduce((lowest, point) => (along(point) > along(lowest) ? point : lowest))
  const sides = outline.map(across)
  return {
    leftEye,
    rightEye,
    eyes,
    chin,
    mouth: middle(at(points, 61), at(points, 291)),
    roll,
    down,
    eyesToChin: along(chin),
    width: Math.max(...sides) - Math.min(...sides),
  }
}

/** How far the eyes are open: height over width of each lid opening (Soukupová & Čech 2016); about 0.3 open, below 0.15 closed. */
export function eyeOpenness(points: MeshPoints): { left: number; right: number } {
  const ratio = (outer: number, inner: number, pairs: readonly (readonly [number, number])[]) =>
    pairs.reduce((sum, [upper, lower]) => sum + distance(at(points, upper), at(points, lower)), 0) /
    (pairs.length * distance(at(points, outer), at(points, inner)))
  return {
    left: ratio(33, 133, [
      [160, 144],
      [159, 145],
      [158, 153],
    ]),
    right: ratio(263, 362, [
      [387, 373],
      [386, 374],
      [385, 380],
    ]),
  }
}

/** How far the mouth is open: distance of the inner lips over its width; above about 0.08 teeth or throat show. */
export function mouthOpenness(points: MeshPoints): number {
  return distance(at(points, 13), at(points, 14)) / distance(at(points, 78), at(points, 308))
}

/** The point `index` of a mesh. */
export function at(points: MeshPoints, index: number): Point {
  const [x, y] = points[index] as readonly [number, number, number]
  return { x, y }
}

/** Half way between two points. */
export function middle(a: Point, b: Point): Point {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }
}

export function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y)
}
