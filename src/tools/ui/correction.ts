import type { Stroke } from '#shared/media.ts'
import type { Size } from '#ui/geometry.ts'
import { type MaskState, newMaskState, strokesInPixels, strokesInShares } from '#ui/mask-editor/strokes.ts'

export interface Correction {
  brushing: boolean
  mask: MaskState
}

export const correction = {
  from: ({ strokes }: { strokes: readonly Stroke[] }, size: Size): Correction => ({
    brushing: false,
    mask: newMaskState(strokesInShares(strokes, size)),
  }),
  params: ({ mask }: Correction, size: Size) => ({ strokes: strokesInPixels(mask.history.strokes, size) }),
}
