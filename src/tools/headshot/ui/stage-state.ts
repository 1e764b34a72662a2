import type { ToolStage } from '#tools/ui/page.ts'
import type { HeadshotParams } from '../contract/definition.ts'

/** The faces that were picked, by their places in the inspection; null while nobody picked any. */
export interface HeadshotState {
  picked: readonly number[] | null
}

/** How picked faces become parameters. */
export const headshotStage: Omit<ToolStage<HeadshotParams, HeadshotState>, 'component'> = {
  from: () => ({ picked: null }),
  params: ({ picked }, _size, _files, inspection) => ({
    faces: (picked ?? []).filter((index) => index < (inspection?.faces.length ?? 0)),
  }),
  active: (_state, phase) => phase === 'before',
}
