import { createEnginePool, type EnginePool } from '#engine/node/pool.ts'
import type { EngineLane, EngineOutcome, EngineTask } from '#engine/node/task.ts'
import { type ToolId, toolContracts } from '#tools/contracts.ts'
import type { AnyTool, Inspection } from '#tools/tool.ts'

/** Engine threads with every tool's engine, as the server has them. */
export function openToolPool(size = 1): EnginePool {
  return createEnginePool({ size, entry: new URL('../../src/tools/engine-thread.ts', import.meta.url) })
}

export interface ToolRun {
  params?: object
  /** Encoded files by the input's name. */
  inputs: Record<string, Uint8Array[]>
  /** What an earlier run kept: it is rendered again. */
  kept?: EngineOutcome['kept']
}

const timeLimit = 60_000

/** Generates and renders in an engine thread, or renders again from what was kept. */
export function runTool(pool: EnginePool, id: ToolId, run: ToolRun, lane?: EngineLane): Promise<EngineOutcome> {
  return pool.run(taskOf(id, run.kept ? 'render' : 'generate', run), { timeLimit, ...(lane && { lane }) })
}

/** The free check of a tool in an engine thread. */
export function inspectWithTool(pool: EnginePool, id: ToolId, run: Omit<ToolRun, 'kept'>): Promise<Inspection> {
  return pool.inspect(taskOf(id, 'inspect', run), { timeLimit })
}

function taskOf(id: ToolId, step: EngineTask['step'], { params = {}, inputs, kept }: ToolRun): EngineTask {
  const tool: AnyTool = toolContracts[id]
  const parsed = tool.parseParams(params)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  const files = Object.entries(tool.inputs).map(([name, { kind }]) => {
    return [name, (inputs[name] ?? []).map((bytes) => ({ kind, contentType: '', bytes }))] as const
  })
  return { step, tool: id, params: parsed.params, inputs: Object.fromEntries(files), ...(kept && { kept }) }
}
