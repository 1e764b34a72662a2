import type { Box } from '#contract/media.ts'
import type { Plane } from '#engine/image/picture.ts'

/** What to look for: decided from the picture, people, or the most salient thing. */
export type SubjectKind = 'auto' | 'person' | 'object'

/** What is to be kept, roughly: a soft mask, and where hair has to be expected. */
export interface Subject {
  mask: Plane
  hair: Box[]
}
