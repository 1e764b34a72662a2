import type { MeshPoints } from '#engine/host.ts'
import { mean, outlineOf, type Point } from '#engine/tasks/faces/landmarks.ts'
import { meshBox } from '#engine/tasks/faces/mesh-geometry.ts'

/** Places by how far right of the middle between the eyes and below it they lie, in face widths. */
export interface UprightAxes {
  /** The face's width in pixels. */
  unit: number
  across(x: number, y: number): number
  down(x: number, y: number): number
  /** Back to pixels. */
  at(across: number, down: number): Point
}

/** The axes along the line of the eyes and across it, so that a tilt of the head drops out. */
export function uprightAxes(mesh: MeshPoints): UprightAxes {
  const unit = meshBox(mesh).width
  const [left, right] = [mean(outlineOf(mesh, 'leftEye')), mean(outlineOf(mesh, 'rightEye'))]
  const apart = Math.hypot(right.x - left.x, right.y - left.y) || 1
  const [cos, sin] = [(right.x - left.x) / apart, (right.y - left.y) / apart]
  const middle = mean([left, right])
  return {
    unit,
    across: (x, y) => ((x - middle.x) * cos + (y - middle.y) * sin) / unit,
    down: (x, y) => ((y - middle.y) * cos - (x - middle.x) * sin) / unit,
    at: (across, down) => ({
      x: middle.x + unit * (across * cos - down * sin),
      y: middle.y + unit * (across * sin + down * cos),
    }),
  }
}
