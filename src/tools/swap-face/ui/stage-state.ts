import { msg } from '@lingui/core/macro'
import type { ToolFiles, ToolStage } from '#tools/ui/page.ts'
import type { FaceView, PhotoCheckView } from '../../contract/schemas.ts'
import type { FacePair, SwapFaceParams } from '../contract/definition.ts'

export interface SwapState {
  /** By the files: faces are numbered anew when these change. */
  paired: Readonly<Record<string, readonly FacePair[]>>
  /** Source face for the next tap on a target face. */
  held: number
  agreed: boolean
}

const notAgreed = msg`Centang dulu: semua orang di foto ini setuju.`

export const sourceFaces = (check: PhotoCheckView | null): FaceView[] =>
  (check?.faces ?? []).filter(({ input }) => input === 'faces')

export const targetFaces = (check: PhotoCheckView | null): FaceView[] =>
  (check?.faces ?? []).filter(({ input }) => input === 'target')

const namesOf = (files: ToolFiles) => [...(files.target ?? []), ...(files.faces ?? [])].map(({ id }) => id).join(' ')

/** Null before any choice: the only face replaces the only one, and several have to be chosen. */
function pairsIn({ paired }: SwapState, files: ToolFiles): readonly FacePair[] | null {
  return paired[namesOf(files)] ?? null
}

export function pairsNow(state: SwapState, files: ToolFiles, check: PhotoCheckView | null): readonly FacePair[] {
  const made = pairsIn(state, files)
  if (made) return made
  return sourceFaces(check).length === 1 && targetFaces(check).length === 1 ? [{ source: 0, target: 0 }] : []
}

export const withPairs = (state: SwapState, pairs: readonly FacePair[], files: ToolFiles): SwapState => {
  return { ...state, paired: { ...state.paired, [namesOf(files)]: pairs } }
}

export const swapStage: Omit<ToolStage<SwapFaceParams, SwapState>, 'component'> = {
  from: () => ({ paired: {}, held: 0, agreed: false }),
  params: (state, _size, files) => ({ pairs: [...(pairsIn(state, files) ?? [])], consent: state.agreed }),
  active: (_state, phase, files) => phase === 'before' && (files.faces?.length ?? 0) > 0,
  batch: 'together',
  missing: (state) => (state?.agreed ? undefined : notAgreed),
}
