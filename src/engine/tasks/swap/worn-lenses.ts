import type { MeshPoints } from '#engine/host.ts'
import type { Plane } from '#engine/image/picture.ts'
import { createPlane } from '#engine/image/plane.ts'
import { pointOf } from '#engine/tasks/faces/landmarks.ts'
import { uprightAxes } from './worn-glasses.ts'

/** Points around both eyes that lie as far to the front as lenses do: left, and its right twin. */
const twins = [
  [133, 362],
  [33, 263],
  [159, 386],
  [145, 374],
  [107, 336],
  [55, 285],
  [65, 295],
  [52, 282],
  [105, 334],
  [119, 348],
  [230, 450],
] as const
const bridge = 168
/**
 * How far before the face lenses stand, as a share of its width: on a turned head they lie further
 * to its far side.
 */
const standing = 0.24

/**
 * The lenses as each of them tells where its twin lies, by the affine map between both halves of
 * the face: on a turned head one reaches over the outline, where it cannot be told from what is
 * behind it. `lenses` is above a half inside both, and so is what comes back; `yaw` is how far the
 * head is turned, in radians.
 */
export function mirroredLenses(lenses: Plane, mesh: MeshPoints, yaw: number): Plane {
  const { across, at } = uprightAxes(mesh)
  const [origin, moved] = [at(0, 0), at(standing * Math.sin(yaw), 0)]
  const nose = pointOf(mesh, bridge)
  const middle = across(nose.x, nose.y)
  const isLeft = (x: number, y: number) => across(x, y) < middle
  const { width, height, data } = lenses
  const out = createPlane(width, height)
  const toOther = [affineBetween(mesh, 0), affineBetween(mesh, 1)] as const
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const left = isLeft(x, y)
      const [u, v] = toOther[left ? 0 : 1](x + 0.5 + origin.x - moved.x, y + 0.5 + origin.y - moved.y)
      const [column, row] = [Math.floor(u), Math.floor(v)]
      if (column < 0 || row < 0 || column >= width || row >= height) continue
      // Only what lies on the other half tells of this one.
      if ((data[row * width + column] as number) > 0.5 && isLeft(column, row) !== left) out.data[y * width + x] = 1
    }
  }
  return out
}

/** Brings a place on one side of the face to its twin: the affine map of least squares. */
function affineBetween(mesh: MeshPoints, side: 0 | 1): (x: number, y: number) => [number, number] {
  const from = twins.map((pair) => pointOf(mesh, pair[side]))
  const to = twins.map((pair) => pointOf(mesh, pair[1 - side] as number))
  const centre = (points: typeof from, axis: 'x' | 'y') =>
    points.reduce((sum, point) => sum + point[axis], 0) / points.length
  const [x0, y0, u0, v0] = [centre(from, 'x'), centre(from, 'y'), centre(to, 'x'), centre(to, 'y')]
  let [xx, xy, yy, xu, yu, xv, yv] = [0, 0, 0, 0, 0, 0, 0]
  for (const [k, point] of from.entries()) {
    const [dx, dy] = [point.x - x0, point.y - y0]
    const [du, dv] = [(to[k]?.x ?? u0) - u0, (to[k]?.y ?? v0) - v0]
    xx += dx * dx
    xy += dx * dy
    yy += dy * dy
    xu += dx * du
    yu += dy * du
    xv += dx * dv
    yv += dy * dv
  }
  const area = xx * yy - xy * xy || 1
  const [a, b] = [(xu * yy - yu * xy) / area, (yu * xx - xu * xy) / area]
  const [c, d] = [(xv * yy - yv * xy) / area, (yv * xx - xv * xy) / area]
  return (x, y) => [u0 + a * (x - x0) + b * (y - y0), v0 + c * (x - x0) + d * (y - y0)]
}
