import type { MeshPoints } from '#engine/host.ts'
import { createPlane, type Picture, type Plane, type Size } from '#engine/image/picture.ts'
import { cropPicture, fitWithin } from '#engine/image/pixels.ts'
import { faceRegion, facialFeatures, outlineOf } from '#engine/tasks/faces/regions.ts'
import type { Box } from '#shared/media.ts'
import { type EnhanceOptions, enhance, type Noise, partMargin } from './enhance.ts'
import { applyLight, type LightOptions, planLight } from './light.ts'

/** Longer side of the detail plane; faces need no finer one. */
const workSide = 1000
/** Extra sharpening of eyes, brows and lips, and reduction on skin, at full strength. */
const featureGain = 1.2
const skinReduction = 0.75

/**
 * Sharpening factors, 1 by default: higher at eyes, brows and lips, lower on skin, whose noise and
 * pores sharpening would amplify. Meshes are in pixels of `size`; `amount` is 0 to 1. Undefined
 * where all factors are 1.
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
    const eyes = faceRegion({ width, height }, [face], scale, 0.03 * wide, facialFeatures)
    for (let i = 0; i < detail.data.length; i++) {
      // The blurred masks of small eyes stay far below 1.
      const eye = Math.min(1, 2.5 * (eyes.data[i] as number))
      const change = featureGain * eye - skinReduction * (around.data[i] as number) * (1 - eye)
      if (change !== 0) detail.data[i] = Math.max(0, (detail.data[i] as number) + amount * change)
    }
  }
  return detail
}

/** Measurements of a whole picture that its parts share when they are enhanced separately. */
export interface WholePicture extends Size {
  noise: Noise
  /** The picture or a reduced copy, for measuring the light. */
  small: Picture
}

/** Parts align with the whole picture's noise windows: every third pixel, also at half the size. */
const grid = 6

/** The pixels needed to enhance a part: the part with its margin, on whole pixels. */
export function partWithSurroundings(part: Box, whole: Size): Box {
  const from = (start: number) => Math.max(0, Math.floor((start - partMargin) / grid) * grid)
  const [x, y] = [from(part.x), from(part.y)]
  const right = Math.min(whole.width, part.x + part.width + partMargin)
  const bottom = Math.min(whole.height, part.y + part.height + partMargin)
  return { x, y, width: right - x, height: bottom - y }
}

/** Renders a part as within the whole picture; `pixels` are those of `partWithSurroundings`. */
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

export { enhance, measureNoise, noiseRows } from './enhance.ts'
export { correctLight } from './light.ts'
export { findScratches } from './scratches.ts'
