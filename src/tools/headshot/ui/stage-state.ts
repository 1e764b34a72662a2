import { type Correction, correction } from '#tools/ui/correction.ts'
import type { ToolStage } from '#tools/ui/page.ts'
import type { HeadshotParams } from '../contract/definition.ts'

/** Indices of the check; null before any choice. */
export interface HeadshotState extends Correction {
  picked: readonly number[] | null
}

export const headshotStage: Omit<ToolStage<HeadshotParams, HeadshotState>, 'component'> = {
  from: (params, size) => ({ ...correction.from(params, size), picked: null }),
  params: (state, size, _files, check) => ({
    ...correction.params(state, size),
    faces: (state.picked ?? []).filter((index) => index < (check?.faces.length ?? 0)),
  }),
  active: ({ brushing }, phase) => brushing || phase === 'before',
}
