import { brushSizes, historyOf, type Stroke, type StrokeHistory, type StrokeMode } from './strokes.ts'

/** Everything a mask editor and its tools share. */
export interface MaskState {
  history: StrokeHistory
  /** Whether a finger marks or takes away. */
  mode: StrokeMode
  /** A tap marks the region under it, instead of a brush that draws. */
  selecting: boolean
  /** Width of the brush as a share of the picture's longer side. */
  size: number
}

export const newMaskState = (strokes: readonly Stroke[] = []): MaskState => ({
  history: historyOf(strokes),
  mode: 'keep',
  selecting: false,
  size: brushSizes.start,
})
