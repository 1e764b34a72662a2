import type { Executor } from '#server/db/database.ts'
import type { AnyTool } from '#tools/contract/tool.ts'
import { readPresets } from './read-presets.ts'

type Params = Record<string, unknown>

/** With the current rules of the presets that the parameters name. */
export async function fillInPresets(executor: Executor, { presets }: AnyTool, params: Params): Promise<Params> {
  if (!presets) return params
  const rules = new Map((await readPresets(executor)).map(({ id, rule }) => [id, rule]))
  return presets.fillIn(params, (name) => rules.get(name)) as Params
}
