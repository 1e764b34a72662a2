import { boxInPixels, type ShareBox, type Size } from '#ui/geometry.ts'
import { type MaskState, newMaskState } from '#ui/mask-editor/mask-state.ts'
import { strokesInPixels, strokesInShares } from '#ui/mask-editor/strokes.ts'
import type { BackgroundRemovalParams } from '../contract/definition.ts'

/**
 * What is being done over the picture: nothing, a box around the subject, or strokes of what stays
 * and what goes.
 */
export interface SubjectStage {
  mode: 'off' | 'box' | 'brush'
  box: ShareBox | null
  mask: MaskState
}

/** How what is marked on the picture becomes parameters, and the other way round. */
export const subjectStage = {
  from: ({ box, strokes }: BackgroundRemovalParams, size: Size): SubjectStage => ({
    mode: 'off',
    box: box
      ? {
          x: box.x / size.width,
          y: box.y / size.height,
          width: box.width / size.width,
          height: box.height / size.height,
        }
      : null,
    mask: newMaskState(strokesInShares(strokes, size)),
  }),
  params: ({ box, mask }: SubjectStage, size: Size): Partial<BackgroundRemovalParams> => ({
    ...(box && { box: boxInPixels(box, size) }),
    strokes: strokesInPixels(mask.history.strokes, size),
  }),
  active: ({ mode, box, mask }: SubjectStage, phase: 'before' | 'after') =>
    mode === 'brush' || (phase === 'before' && (mode === 'box' || box !== null || mask.history.strokes.length > 0)),
}
