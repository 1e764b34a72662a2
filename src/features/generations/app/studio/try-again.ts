import type { AnyToolPage } from '#tools/page.ts'
import type { ChosenPicture } from '../chosen-picture.ts'
import { mainInput } from './inputs.ts'
import type { StudioState } from './studio-state.ts'
import { toolFiles } from './tool-files.ts'

/** The studio back at a picture whose run made nothing, with what may help after a failure of that code already done. */
export function triedAgain(
  { facts, stage, recovery }: Pick<AnyToolPage, 'facts' | 'stage' | 'recovery'>,
  now: StudioState,
  picture: ChosenPicture,
  code: string | undefined,
): Partial<StudioState> {
  const main = mainInput(facts)
  const inputs = facts.batch ? { ...now.inputs, [main]: [picture] } : now.inputs
  const help = code === undefined ? undefined : recovery?.[code]
  const params = { ...now.params, ...help?.params }
  const files = toolFiles({ ...now, inputs })
  const size = files[main]?.[0]?.size
  if (!help?.stage || !stage || !size) return { runs: [], inputs, params }
  return { runs: [], inputs, params, stage: help.stage(now.stage ?? stage.from(params, size, files)) }
}
