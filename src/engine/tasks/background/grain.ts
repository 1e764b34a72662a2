import type { Picture } from '#engine/image/picture.ts'
import { measureNoise } from '#engine/tasks/enhance/enhance.ts'
import { grainDeviation } from './finish.ts'

const maxGrain = 2.5

/** Strength of a photograph's grain relative to that of drawn scenes, 0 to 2.5. */
export function relativeGrain(picture: Picture): number {
  const relative = (255 * measureNoise(picture).sigma) / grainDeviation
  return Math.round(100 * Math.min(maxGrain, relative)) / 100
}
