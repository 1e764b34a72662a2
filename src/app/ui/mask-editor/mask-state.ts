import { brushSizes, historyOf, type Stroke, type StrokeHistory } from './strokes.ts'

/** What a finger does: mark, take away (or mark as to be removed), or select what lies under a tap. */
export type MaskTool = 'keep' | 'erase' | 'select'

/** Everything a mask editor and its tools share. */
export interface MaskState {
  history: StrokeHistory
  tool: MaskTool
  /** Width of the brush as a share of the picture's longer side. */
  size: number
}

export const newMaskState = (strokes: readonly Stroke[] = []): MaskState => ({
  history: historyOf(strokes),
  tool: 'keep',
  size: brushSizes.start,
})
