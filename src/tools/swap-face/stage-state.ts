import { msg } from '@lingui/core/macro'
import type { CheckView, FaceView } from '#features/generations/contract.ts'
import type { ToolFiles, ToolStage } from '../page.ts'
import type { FacePair, SwapFaceParams } from './contract.ts'

/** A source face: the file it is in, and its place among the faces of that file. */
export interface SourceFace {
  file: string
  face: number
}

export interface SwapState {
  /** By the place of the target face; null while nobody paired anything. */
  pairs: Readonly<Record<number, SourceFace>> | null
  /** The source face that the next tap on a target face takes. */
  held: SourceFace | null
  /** Everybody in the pictures agrees to this run. */
  agreed: boolean
}

const notAgreed = msg`Centang dulu: semua orang di foto ini setuju.`

/** The faces of the source pictures in the order in which parameters count them. */
export function sourceFaces(files: ToolFiles, inspection: CheckView | null): (SourceFace & { view: FaceView })[] {
  const counts = new Map<number, number>()
  return (inspection?.faces ?? []).flatMap((view) => {
    if (view.input !== 'faces') return []
    const face = counts.get(view.position) ?? 0
    counts.set(view.position, face + 1)
    const file = files.faces?.[view.position]?.id
    return file === undefined ? [] : [{ file, face, view }]
  })
}

export const targetFaces = (inspection: CheckView | null): FaceView[] =>
  (inspection?.faces ?? []).filter(({ input }) => input === 'target')

/** The pairs as they count now: those that were made, or the largest face to the largest. */
export function pairsNow({ pairs }: SwapState, files: ToolFiles, inspection: CheckView | null): FacePair[] {
  const sources = sourceFaces(files, inspection)
  const targets = targetFaces(inspection)
  if (pairs === null) {
    const largest = sources.reduce<number>((best, { view }, i) => {
      return view.box.width > (sources[best]?.view.box.width ?? 0) ? i : best
    }, 0)
    return sources.length > 0 && targets.length > 0 ? [{ source: largest, target: 0 }] : []
  }
  return Object.entries(pairs).flatMap(([place, wanted]) => {
    const target = Number(place)
    const source = sources.findIndex(({ file, face }) => file === wanted.file && face === wanted.face)
    return source >= 0 && target < targets.length ? [{ source, target }] : []
  })
}

/** How pairs and the agreement of a run become parameters. */
export const swapStage: Omit<ToolStage<SwapFaceParams, SwapState>, 'component'> = {
  from: () => ({ pairs: null, held: null, agreed: false }),
  params: (state, _size, files, inspection) => ({
    pairs: state.pairs === null ? [] : pairsNow(state, files, inspection),
    consent: state.agreed,
  }),
  active: (_state, phase, files) => phase === 'before' && (files.faces?.length ?? 0) > 0,
  missing: (state) => (state?.agreed ? undefined : notAgreed),
}
