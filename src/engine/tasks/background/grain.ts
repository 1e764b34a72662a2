import type { Picture, Size } from '#engine/image/picture.ts'
import { cropPicture } from '#engine/image/pixels.ts'
import { measureNoise } from '#engine/tasks/enhance/enhance.ts'
import type { Box } from '#shared/media.ts'
import { grainDeviation } from './finish.ts'

const maxGrain = 2.5
/** Side of the measured part in pixels. */
const measuredSide = 640

function centredBox({ width, height }: Size, side: number): Box {
  const [wide, high] = [Math.min(width, side), Math.min(height, side)]
  return { x: (width - wide) >> 1, y: (height - high) >> 1, width: wide, height: high }
}

/** Strength of a photograph's grain relative to that of drawn scenes, 0 to 2.5. */
export function relativeGrain(picture: Picture): number {
  const part = centredBox(picture, measuredSide)
  const relative = (255 * measureNoise(cropPicture(picture, part)).sigma) / grainDeviation
  return Math.round(100 * Math.min(maxGrain, relative)) / 100
}
