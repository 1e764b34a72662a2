import { msg } from '@lingui/core/macro'
import type { ToolStage } from '#tools/ui/page.ts'
import type { Size } from '#ui/geometry.ts'
import { type MaskState, newMaskState } from '#ui/mask-editor/mask-state.ts'
import { strokesInPixels, strokesInShares } from '#ui/mask-editor/strokes.ts'
import type { ObjectRemovalParams } from '../contract/definition.ts'

const unmarked = msg`Sapu dulu bagian yang mau dihapus`

export const markStage: Omit<ToolStage<ObjectRemovalParams, MaskState>, 'component'> = {
  from: ({ strokes }: ObjectRemovalParams, size: Size) => newMaskState(strokesInShares(strokes, size)),
  params: ({ history }: MaskState, size: Size) => ({ strokes: strokesInPixels(history.strokes, size) }),
  active: (_state, phase) => phase === 'before',
  batch: 'by shape',
  missing: (state) => (state?.history.strokes.some(({ mode }) => mode === 'keep') ? undefined : unmarked),
}
