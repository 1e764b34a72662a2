import type { Stroke as PixelStroke } from '#contract/media.ts'
import type { Size } from '../geometry.ts'

/** `keep` marks (brush); `erase` removes marks or, with seeds, marks pixels to remove. */
export type StrokeMode = 'keep' | 'erase'

/**
 * A stroke over a picture, in shares of its width and height (0 to 1), independent of the shown,
 * sent or edited size. A `line` has a width as a share of the picture's longer side; an `area` is a
 * filled outline.
 */
export interface Stroke {
  mode: StrokeMode
  shape: PixelStroke['shape']
  size: number
  /** Alternating x and y. */
  points: readonly number[]
  /** The subject it was drawn on, where several subjects are corrected one by one. */
  subject?: number
}

/** Brush sizes as shares of the picture's longer side. */
export const brushSizes = { min: 0.005, max: 0.15, start: 0.04 } as const

/** Current strokes, and the earlier and later states for undo and redo. */
export interface StrokeHistory {
  strokes: readonly Stroke[]
  past: readonly (readonly Stroke[])[]
  future: readonly (readonly Stroke[])[]
}

export const historyOf = (strokes: readonly Stroke[]): StrokeHistory => ({ strokes, past: [], future: [] })

/** Strokes in whole pixels of a picture of that size. */
export function strokesInPixels(strokes: readonly Stroke[], { width, height }: Size): PixelStroke[] {
  const longer = Math.max(width, height)
  return strokes.map((stroke) => ({
    ...stroke,
    size: Math.max(1, Math.round(stroke.size * longer)),
    points: stroke.points.map((share, i) => Math.round(share * (i % 2 === 0 ? width : height))),
  }))
}

/** Inverse of strokesInPixels. */
export function strokesInShares(strokes: readonly PixelStroke[], { width, height }: Size): Stroke[] {
  const longer = Math.max(width, height)
  return strokes.map((stroke) => ({
    ...stroke,
    size: stroke.size / longer,
    points: stroke.points.map((pixel, i) => pixel / (i % 2 === 0 ? width : height)),
  }))
}
