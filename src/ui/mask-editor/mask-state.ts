import { brushSizes, historyOf, type Stroke, type StrokeHistory, type StrokeMode } from './strokes.ts'

/** State shared by a mask editor and its tools. */
export interface MaskState {
  history: StrokeHistory
  /** Brush or eraser. */
  mode: StrokeMode
  /** Selection mode: a tap selects the region below it. */
  selecting: boolean
  /** Brush width as a share of the picture's longer side. */
  size: number
}

export const newMaskState = (strokes: readonly Stroke[] = []): MaskState => ({
  history: historyOf(strokes),
  mode: 'keep',
  selecting: false,
  size: brushSizes.start,
})
