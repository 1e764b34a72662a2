import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BufferSource } from 'mediabunny'
import { createEnginePool, type EnginePool } from '#engine/node/pool.ts'
import type { EngineInput, EngineLane, EngineOutcome, EngineTask, KeptFile } from '#engine/node/task.ts'
import { readVideoFacts } from '#engine/video/video-facts.ts'
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
  /** Milliseconds; a minute unless given. */
  timeLimit?: number
}

const minute = 60_000

/** Generates and renders in an engine thread, or renders again from what was kept. */
export async function runTool(
  pool: EnginePool,
  id: ToolId,
  run: ToolRun,
  lane?: EngineLane,
  signal?: AbortSignal,
): Promise<EngineOutcome> {
  const task = await taskOf(id, run.kept ? 'render' : 'generate', run)
  return pool.run(task, { timeLimit: run.timeLimit ?? minute, ...(lane && { lane }), ...(signal && { signal }) })
}

/** The free check of a tool in an engine thread. */
export async function inspectWithTool(pool: EnginePool, id: ToolId, run: Omit<ToolRun, 'kept'>): Promise<Inspection> {
  const { lane }: AnyTool = toolContracts[id]
  const task = await taskOf(id, 'inspect', run)
  return pool.inspect(task, { timeLimit: minute, lane: lane === 'video' ? 'video_check' : 'interactive' })
}

async function taskOf(
  id: ToolId,
  step: EngineTask['step'],
  { params = {}, inputs, kept }: ToolRun,
): Promise<EngineTask> {
  const tool: AnyTool = toolContracts[id]
  const parsed = tool.parseParams(params)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  const inputFiles: EngineTask['inputs'] = {}
  for (const [name, { kind }] of Object.entries(tool.inputs)) {
    inputFiles[name] = await Promise.all((inputs[name] ?? []).map((bytes) => engineInput(kind, bytes)))
  }
  const keptFiles = kept && (await Promise.all(kept.map(keptFile)))
  return { step, tool: id, params: parsed.params, inputs: inputFiles, ...(keptFiles && { kept: keptFiles }) }
}

/** As the server has it: videos are files for the engine. */
async function keptFile({ label, contentType, bytes }: EngineOutcome['kept'][number]): Promise<KeptFile> {
  return contentType.startsWith('video/')
    ? { label, contentType, path: await videoFile(bytes) }
    : { label, contentType, bytes }
}

async function videoFile(bytes: Uint8Array): Promise<string> {
  const path = join(tmpdir(), `${randomUUID()}.video`)
  await writeFile(path, bytes)
  return path
}

/** Videos are files for the engine, with what an upload would have told of them. */
async function engineInput(kind: EngineInput['kind'], bytes: Uint8Array): Promise<EngineInput> {
  if (kind !== 'video') return { kind, contentType: '', bytes }
  const path = await videoFile(bytes)
  const facts = await readVideoFacts(new BufferSource(bytes))
  return { kind, path, ...(typeof facts === 'string' ? { contentType: 'video/mp4', seconds: 1 } : facts) }
}
