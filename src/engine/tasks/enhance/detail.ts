import type { Box } from '#contract/media.ts'
import type { MeshPoints } from '#engine/host.ts'
import { createPlane, type Picture, type Plane, type Size } from '#engine/image/picture.ts'
import { cropPicture, fitWithin } from '#engine/image/pixels.ts'
import { faceRegion, features, outlineOf } from '#engine/tasks/faces/regions.ts'
import { type EnhanceOptions, enhance, type Noise, overlap } from './enhance.ts'
import { applyLight, type LightOptions, planLight } from './light.ts'

/** Faces need no finer plane than this. */
const workSide = 1000
/**
 * How much more eyes, brows and lips are sharpened than the rest, and how much less skin is, at
 * full strength.
 */
const detailed = 1.2
const skin = 0.75

/**
 * How much each part of a picture is sharpened, 1 being as everywhere: more at eyes, brows and
 * lips, less on skin, whose noise and pores would be sharpened too. Meshes in pixels of a picture
 * of `size`; `amount` 0 to 1. Undefined where nothing differs.
 */
export function faceDetail(size: Size, faces: readonly MeshPoints[], amount: number): Plane | undefined {
  if (faces.length === 0 || amount <= 0) return undefined
  const { width, height } = fitWithin(size, workSide)
  const scale = width / size.width
  const detail = createPlane(width, height, 1)
  for (const face of faces) {
    const across = outlineOf(face, 'face').map(({ x }) => x * scale)
    const wide = Math.max(...across) - Math.min(...across)
    const around = faceRegion({ width, height }, [face], scale, 0.05 * wide)
    const eyes = faceRegion({ width, height }, [face], scale, 0.03 * wide, features)
    for (let i = 0; i < detail.data.length; i++) {
      // Blurred outlines of small eyes stay far below 1.
      const eye = Math.min(1, 2.5 * (eyes.data[i] as number))
      const change = detailed * eye - skin * (around.data[i] as number) * (1 - eye)
      if (change !== 0) detail.data[i] = Math.max(0, (detail.data[i] as number) + amount * change)
    }
  }
  return detail
}

/** What of a picture decides how each part of it is enhanced. */
export interface WholePicture extends Size {
  /** By `measureNoise`. */
  noise: Noise
  /** The picture or a reduced copy, by which its light is judged. */
  small: Picture
}

/**
 * Parts begin where the windows of the whole picture's noise reduction begin, at every third pixel
 * and at half the size.
 */
const grid = 6

/**
 * The pixels that are needed to enhance a part: with its surroundings, as far as the picture goes.
 * All in whole pixels.
 */
export function partWithSurroundings(part: Box, whole: Size): Box {
  const from = (start: number) => Math.max(0, Math.floor((start - overlap) / grid) * grid)
  const [x, y] = [from(part.x), from(part.y)]
  const right = Math.min(whole.width, part.x + part.width + overlap)
  const bottom = Math.min(whole.height, part.y + part.height + overlap)
  return { x, y, width: right - x, height: bottom - y }
}

/**
 * One part of a picture as `enhance` and `correctLight` make it within the whole, without making
 * the rest. `pixels` are those of `partWithSurroundings`.
 */
export function enhancePart(
  pixels: Picture,
  part: Box,
  whole: WholePicture,
  options: EnhanceOptions & LightOptions,
): Picture {
  const { scale } = options
  const from = partWithSurroundings(part, whole)
  const large = enhance(pixels, { ...options, noise: whole.noise })
  const made = cropPicture(large, {
    x: scale * (part.x - from.x),
    y: scale * (part.y - from.y),
    width: scale * part.width,
    height: scale * part.height,
  })
  const plan = planLight(whole.small, options)
  if (!plan) return made
  return applyLight(made, plan, {
    width: scale * whole.width,
    height: scale * whole.height,
    x: scale * part.x,
    y: scale * part.y,
  })
}
