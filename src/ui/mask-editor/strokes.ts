import type { Stroke as PixelStroke } from '#shared/media.ts'
import type { Size } from '../geometry.ts'

/** `keep` marks (brush); `erase` removes marks or, with seeds, marks pixels to remove. */
export type StrokeMode = 'keep' | 'erase'

/**
 * In shares (0 to 1) of the picture's width and height. A `line` has a width as a share of the
 * longer side; an `area` is a filled outline.
 */
export interface Stroke {
  mode: StrokeMode
  shape: PixelStroke['shape']
  size: number
  /** Alternating x and y. */
  points: readonly number[]
  /** Set where several subjects are corrected separately. */
  subject?: number
}

/** Shares of the picture's longer side. */
export const brushSizes = { min: 0.005, max: 0.15, start: 0.04 } as const

interface StrokeHistory {
  strokes: readonly Stroke[]
  past: readonly (readonly Stroke[])[]
  future: readonly (readonly Stroke[])[]
}

export const historyOf = (strokes: readonly Stroke[]): StrokeHistory => ({ strokes, past: [], future: [] })

export function strokesInPixels(strokes: readonly Stroke[], { width, height }: Size): PixelStroke[] {
  const longer = Math.max(width, height)
  return strokes.map((stroke) => ({
    ...stroke,
    size: Math.max(1, Math.round(stroke.size * longer)),
    points: stroke.points.map((share, i) => Math.round(share * (i % 2 === 0 ? width : height))),
  }))
}

export function strokesInShares(strokes: readonly PixelStroke[], { width, height }: Size): Stroke[] {
  const longer = Math.max(width, height)
  return strokes.map((stroke) => ({
    ...stroke,
    size: stroke.size / longer,
    points: stroke.points.map((pixel, i) => pixel / (i % 2 === 0 ? width : height)),
  }))
}

export interface MaskState {
  history: StrokeHistory
  mode: StrokeMode
  /** A tap selects the region below it. */
  selecting: boolean
  /** As a share of the picture's longer side. */
  size: number
}

export const newMaskState = (strokes: readonly Stroke[] = []): MaskState => ({
  history: historyOf(strokes),
  mode: 'keep',
  selecting: false,
  size: brushSizes.start,
})

export const maxUndo = 50

function changed(history: StrokeHistory, strokes: readonly Stroke[]): StrokeHistory {
  return { strokes, past: [...history.past, history.strokes].slice(-maxUndo), future: [] }
}

export const addStroke = (history: StrokeHistory, stroke: Stroke): StrokeHistory =>
  changed(history, [...history.strokes, stroke])

export const clearStrokes = (history: StrokeHistory): StrokeHistory =>
  history.strokes.length === 0 ? history : changed(history, [])

export function undo(history: StrokeHistory): StrokeHistory {
  const strokes = history.past.at(-1)
  if (!strokes) return history
  return { strokes, past: history.past.slice(0, -1), future: [history.strokes, ...history.future] }
}

export function redo(history: StrokeHistory): StrokeHistory {
  const [strokes, ...future] = history.future
  if (!strokes) return history
  return { strokes, past: [...history.past, history.strokes], future }
}
