import type { ToolStage } from '#tools/ui/page.ts'
import type { HeadshotParams } from '../contract/definition.ts'

/** The faces that were picked, by their places in the check; null while nobody picked any. */
export interface HeadshotState {
  picked: readonly number[] | null
}

/** How picked faces become parameters. */
export const headshotStage: Omit<ToolStage<HeadshotParams, HeadshotState>, 'component'> = {
  from: () => ({ picked: null }),
  params: ({ picked }, _size, _files, check) => ({
    faces: (picked ?? []).filter((index) => index < (check?.faces.length ?? 0)),
  }),
  active: (_state, phase) => phase === 'before',
}
