import type { Plane, Size } from '#engine/image/picture.ts'
import { ownReach } from './colour-shift.ts'
import { smoothNoise, type WatermarkRandomness } from './randomness.ts'

/** Deviation in pixels for a picture of 640 pixels. */
const displacementPixels = 1.7

/** Deviation of the displacement in pixels. */
export const displacementReach = ({ width, height }: Size): number =>
  (displacementPixels * Math.max(width, height)) / 640

/** The picture's own displacement in units of {@link displacementReach}. */
export function displacementNoise(size: Size, draws: WatermarkRandomness): { right: Plane; down: Plane } {
  const draw = draws.own('places')
  const reach = ownReach * Math.max(size.width, size.height)
  return { right: smoothNoise(size, reach, draw), down: smoothNoise(size, reach, draw) }
}
