import type { MeshPoints } from '#engine/host.ts'
import type { Plane } from '#engine/image/picture.ts'
import { fitWithin } from '#engine/image/pixels.ts'
import { createPlane } from '#engine/image/plane.ts'
import { outlineOf } from '#engine/tasks/faces/landmarks.ts'
import { faceRegion, featureRegion } from '#engine/tasks/faces/regions.ts'

/** Faces need no finer plane than this. */
const workSide = 1000
/**
 * How much more eyes, brows and lips are sharpened than the rest, and how much less skin is, at
 * full strength.
 */
const features = 1.2
const skin = 0.75

/**
 * How much each part of a picture is sharpened, 1 being as everywhere: more at eyes, brows and
 * lips, less on skin, whose noise and pores would be sharpened too. Meshes in pixels of a picture
 * of `size`; `amount` 0 to 1. Undefined where nothing differs.
 */
export function faceDetail(
  size: { width: number; height: number },
  faces: readonly MeshPoints[],
  amount: number,
): Plane | undefined {
  if (faces.length === 0 || amount <= 0) return undefined
  const { width, height } = fitWithin(size, workSide)
  const scale = width / size.width
  const detail = createPlane(width, height, 1)
  for (const face of faces) {
    const across = outlineOf(face, 'face').map(({ x }) => x * scale)
    const wide = Math.max(...across) - Math.min(...across)
    const around = faceRegion({ width, height }, [face], scale, 0.05 * wide)
    const eyes = featureRegion({ width, height }, [face], scale, 0.03 * wide)
    for (let i = 0; i < detail.data.length; i++) {
      // Blurred outlines of small eyes stay far below 1.
      const eye = Math.min(1, 2.5 * (eyes.data[i] as number))
      const change = features * eye - skin * (around.data[i] as number) * (1 - eye)
      if (change !== 0) detail.data[i] = Math.max(0, (detail.data[i] as number) + amount * change)
    }
  }
  return detail
}
