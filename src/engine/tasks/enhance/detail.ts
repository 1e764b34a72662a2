import type { Box } from '#contract/media.ts'
import type { Picture } from '#engine/image/picture.ts'
import { cropPicture } from '#engine/image/pixels.ts'
import { type EnhanceOptions, enhance, overlap } from './enhance.ts'
import { applyLight, type LightOptions, planLight } from './light.ts'

/** What of a picture decides how each part of it is enhanced. */
export interface WholePicture {
  width: number
  height: number
  /** By `measureNoise`. */
  noise: number
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
export function partWithSurroundings(part: Box, whole: { width: number; height: number }): Box {
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
