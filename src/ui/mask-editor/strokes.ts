import type { Stroke as PixelStroke } from '#contract/media.ts'
import type { Size } from '../geometry.ts'

/**
 * `keep` marks (the brush); `erase` takes marks away or, where both are seeds, marks what has to
 * go.
 */
export type StrokeMode = 'keep' | 'erase'

/**
 * Something drawn over a picture, in shares of its width and height (0 to 1), so that it holds at
 * every size the picture is shown, sent or edited at. A `line` has a width, as a share of the
 * picture's longer side; an `area` is a filled outline.
 */
export interface Stroke {
  mode: StrokeMode
  shape: PixelStroke['shape']
  size: number
  /** x and y by turns. */
  points: readonly number[]
}

/** Brush sizes as shares of the picture's longer side. */
export const brushSizes = { min: 0.005, max: 0.15, start: 0.04 } as const

/** The strokes of now, and those before and after them for undo and redo. */
export interface StrokeHistory {
  strokes: readonly Stroke[]
  past: readonly (readonly Stroke[])[]
  future: readonly (readonly Stroke[])[]
}

export const maxUndo = 50

export const historyOf = (strokes: readonly Stroke[]): StrokeHistory => ({ strokes, past: [], future: [] })

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

/**
 * Leaves out points that lie within `tolerance` of the line between their neighbours (Ramer,
 * Douglas and Peucker 1972/73).
 */
export function simplify(points: readonly number[], tolerance: number): number[] {
  const count = points.length / 2
  if (count <= 2) return [...points]
  const kept = new Uint8Array(count)
  kept[0] = 1
  kept[count - 1] = 1
  const open: [number, number][] = [[0, count - 1]]
  for (let span = open.pop(); span; span = open.pop()) {
    const [first, last] = span
    let farthest = first
    let distance = tolerance
    for (let i = first + 1; i < last; i++) {
      const away = distanceToSegment(points, i, first, last)
      if (away > distance) [farthest, distance] = [i, away]
    }
    if (farthest === first) continue
    kept[farthest] = 1
    open.push([first, farthest], [farthest, last])
  }
  const out: number[] = []
  for (let i = 0; i < count; i++) if (kept[i]) out.push(points[2 * i] as number, points[2 * i + 1] as number)
  return out
}

function distanceToSegment(points: readonly number[], i: number, first: number, last: number): number {
  const at = (index: number) => [points[2 * index] as number, points[2 * index + 1] as number] as const
  const [[x, y], [ax, ay], [bx, by]] = [at(i), at(first), at(last)]
  const [dx, dy] = [bx - ax, by - ay]
  const length = dx * dx + dy * dy
  const t = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / length))
  return Math.hypot(x - ax - t * dx, y - ay - t * dy)
}

/** The strokes in whole pixels of a picture of that size. */
export function strokesInPixels(strokes: readonly Stroke[], { width, height }: Size): PixelStroke[] {
  const longer = Math.max(width, height)
  return strokes.map((stroke) => ({
    ...stroke,
    size: Math.max(1, Math.round(stroke.size * longer)),
    points: stroke.points.map((share, i) => Math.round(share * (i % 2 === 0 ? width : height))),
  }))
}

/** The other way round. */
export function strokesInShares(strokes: readonly PixelStroke[], { width, height }: Size): Stroke[] {
  const longer = Math.max(width, height)
  return strokes.map((stroke) => ({
    ...stroke,
    size: stroke.size / longer,
    points: stroke.points.map((pixel, i) => pixel / (i % 2 === 0 ? width : height)),
  }))
}
