import { brushSizes, historyOf, type Stroke, type StrokeHistory, type StrokeMode } from './strokes.ts'

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
