import type { Picture, Plane } from '#engine/image/picture.ts'
import type { Tones } from '#engine/image/tones.ts'
import type { Eye } from './eyes.ts'
import type { EdgeFlow } from './flow.ts'

/** What every style draws from; all planes have the picture's size. */
export interface StyleInput {
  /** The picture as it is. */
  tones: Tones
  /** Lightness without grain, red a little darker than it is, from which lines are drawn. */
  drawing: Plane
  flow: EdgeFlow
  /** Where faces are, 0 to 1: lines are finer there and skin is smoother. */
  face: Plane
  /** Eyes, brows and mouths, 0 to 1: they stay sharp. */
  features: Plane
  eyes: readonly Eye[]
  /** How far it goes from the photograph, 0 to 1. */
  strength: number
  lines: boolean
  /** Whether the paper may show around the picture; not where somebody is cut out of it. */
  rim: boolean
  /** Pixels that make up a thousandth of the longer side: sizes of strokes and dots follow it. */
  unit: number
}

/** Draws an opaque picture of the input's size; the input stays as it is. */
export type Style = (input: StyleInput) => Picture
