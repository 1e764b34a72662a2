import type { AnyToolPage, Recovery } from '#tools/ui/page.ts'
import type { ChosenPicture } from '../chosen-picture.ts'
import { mainInput } from './inputs.ts'
import type { StudioState } from './studio-state.ts'
import { toolFiles } from './tool-files.ts'

/** What is changed before another run with the same file. */
export type RunChange = Recovery<Record<string, unknown>>

/** The studio back at a file that was run before, with `help` already done. */
export function triedAgain(
  { facts, stage }: Pick<AnyToolPage, 'facts' | 'stage'>,
  now: StudioState,
  picture: ChosenPicture,
  help: RunChange | undefined,
): Partial<StudioState> {
  const main = mainInput(facts)
  const inputs = facts.batch ? { ...now.inputs, [main]: [picture] } : now.inputs
  const params = { ...now.params, ...help?.params }
  const files = toolFiles({ ...now, inputs })
  const size = files[main]?.[0]?.size
  if (!help?.stage || !stage || !size) return { runs: [], inputs, params }
  return { runs: [], inputs, params, stage: help.stage(now.stage ?? stage.from(params, size, files)) }
}
