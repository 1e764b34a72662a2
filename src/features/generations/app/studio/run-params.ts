import type { PhotoCheckView } from '#tools/contract/views.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import { mainInput } from './inputs.ts'
import type { StudioState } from './studio-state.ts'
import { toolFiles } from './tool-files.ts'

/**
 * The parameters of a run: the panel's options and what was done on the stage, in the pixels that
 * are sent.
 */
export function runParams(
  { definition, stage }: Pick<AnyToolPage, 'definition' | 'stage'>,
  state: Pick<StudioState, 'inputs' | 'params' | 'stage' | 'shrink'>,
  check: PhotoCheckView | null,
): Record<string, unknown> {
  const files = toolFiles(state)
  const size = files[mainInput(definition)]?.[0]?.size
  if (!stage || state.stage === null || !size) return state.params
  return { ...state.params, ...stage.params(state.stage, size, files, check) }
}
