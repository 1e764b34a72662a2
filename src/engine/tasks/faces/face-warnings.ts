import type { Face } from '#engine/host.ts'
import type { Picture } from '#engine/image/picture.ts'
import { assessFace } from './assess-face.ts'

/** What {@link assessFace} measures in a photograph that gives a good result. */
const limits = { sharp: 0.093, burnt: 0.2, dark: 50, sideLight: 2, bridge: 0.2 }

/** What should be known of how a face was photographed before somebody works on it. */
export function faceWarnings(
  picture: Picture,
  { points }: Face,
): ('blurred' | 'overexposed' | 'too_dark' | 'uneven_light' | 'glasses')[] {
  const { sharpness, burnt, brightness, sideLight, bridge } = assessFace(picture, points)
  return [
    ...(sharpness < limits.sharp ? (['blurred'] as const) : []),
    ...(burnt > limits.burnt ? (['overexposed'] as const) : []),
    ...(brightness < limits.dark ? (['too_dark'] as const) : []),
    ...(sideLight > limits.sideLight ? (['uneven_light'] as const) : []),
    ...(bridge > limits.bridge ? (['glasses'] as const) : []),
  ]
}
