import type { Stroke, StrokeHistory } from './strokes.ts'

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
