import type { Box } from '#contract/media.ts'
import type { Plane } from '#engine/picture.ts'

/** What is to be kept, roughly: a soft mask, and where hair has to be expected. */
export interface Subject {
  mask: Plane
  hair: Box[]
}
