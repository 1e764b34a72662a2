import { createHash, randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EngineError } from '#engine/error.ts'
import { readVideoInfo } from '#engine/video/video-info.ts'
import { type AnyTool, isVideoTool, type PhotoCheck } from '#tools/contract/tool.ts'
import { type ToolId, toolContracts } from '#tools/contracts.ts'
import { createEnginePool, type EnginePool } from '#tools/threads/pool.ts'
import type {
  EngineInput,
  EngineLane,
  EngineOutcome,
  EngineRunOptions,
  EngineTask,
  KeptFile,
} from '#tools/threads/task.ts'
import { videoInMemory } from './video-in-memory.ts'

/** With every tool's engine. Idle threads stay, since each loads the models anew. */
export function openToolPool(size = 1): EnginePool {
  return createEnginePool({
    size,
    entry: new URL('test-engine-thread.ts', import.meta.url),
    idleLimit: hour,
    onFailure: (code, reason) => {
      for (const tell of failureListeners) tell(code, reason)
    },
  })
}

/**
 * Never called: tells `npm test -- --changed` that the tests of this pool depend on the modules of
 * its threads, which no import names.
 */
export const threadModules = () => import('./test-engine-thread.ts')

const hour = 3_600_000
const failureListeners = new Set<(code: string, reason: string) => void>()

export interface ToolTask {
  params?: object
  /** By the input's name. */
  inputs: Record<string, Uint8Array[]>
  /** Layers of an earlier run, rendered again. */
  kept?: EngineOutcome['kept']
  done?: KeptFile[]
  /** Without the full result. */
  preview?: true
  /** As with a test key. */
  test?: true
  /** With the visible AI label. */
  labelled?: true
  /** An hour by default, since durations mean nothing on a busy machine. */
  timeLimit?: number
}

/** Shared by all test files of the process, so each model is loaded once. */
export const toolPool = openToolPool()

/**
 * For an app, which closes its engine when it stops: only its own tasks end then. Without time
 * limits.
 */
export function lendToolPool(onFailure: (code: string, reason: string) => void = () => {}): EnginePool {
  const stopping = new AbortController()
  failureListeners.add(onFailure)
  const lent =
    <Result>(perform: (task: EngineTask, options: EngineRunOptions) => Promise<Result>) =>
    async (task: EngineTask, options: EngineRunOptions) => {
      const signal = AbortSignal.any([stopping.signal, ...(options.signal ? [options.signal] : [])])
      return await perform(task, { ...options, ...sharedLane(task), timeLimit: hour, signal })
    }
  return {
    lanes: toolPool.lanes,
    run: lent(toolPool.run),
    check: lent(toolPool.check),
    prepare: lent(toolPool.prepare),
    async close() {
      failureListeners.delete(onFailure)
      stopping.abort(new EngineError('server.unavailable'))
    },
  }
}

/** Generates and renders, or renders again from kept layers. */
export async function runTool(
  pool: EnginePool,
  id: ToolId,
  toolTask: ToolTask,
  lane?: EngineLane,
  signal?: AbortSignal,
): Promise<EngineOutcome> {
  const task = await taskOf(id, toolTask.preview ? 'preview' : toolTask.kept ? 'render' : 'generate', toolTask)
  return pool.run(task, { timeLimit: toolTask.timeLimit ?? hour, ...(lane && { lane }), ...(signal && { signal }) })
}

/** Cached for all tests of this process; to compare two runs use `runTool`. */
export const runOnce = (id: ToolId, toolTask: ToolTask, lane?: EngineLane): Promise<EngineOutcome> =>
  once(digestOf('run', id, toolTask), () => runTool(toolPool, id, toolTask, lane))

/** Cached like `runOnce` for the shared pool, whose checks are pure. */
export function checkWithTool(pool: EnginePool, id: ToolId, toolTask: Omit<ToolTask, 'kept'>): Promise<PhotoCheck> {
  const check = async () => {
    const task = await taskOf(id, 'check', toolTask)
    return pool.check(task, { timeLimit: hour, ...sharedLane(task) })
  }
  return pool === toolPool ? once(digestOf('check', id, toolTask), check) : check()
}

const results = new Map<string, Promise<unknown>>()

function once<Result>(key: string, compute: () => Promise<Result>): Promise<Result> {
  const result = (results.get(key) as Promise<Result> | undefined) ?? compute()
  results.set(key, result)
  return result
}

function digestOf(step: string, id: ToolId, { params = {}, inputs, kept = [], done = [], ...rest }: ToolTask): string {
  const digest = createHash('sha1').update(JSON.stringify([step, id, params, rest]))
  const files = Object.entries(inputs).flatMap(([name, given]) => given.map((bytes) => ({ name, bytes })))
  const layers = [...kept, ...done].map((file) => ({
    name: file.label,
    bytes: 'bytes' in file ? file.bytes : file.path,
  }))
  for (const { name, bytes } of [...files, ...layers]) digest.update(`${name} ${bytes.length} `).update(bytes)
  return digest.digest('hex')
}

/**
 * Lane that loads each model only once: checks and previews share the one of generations. Tools of
 * the tests load no model and keep their lanes.
 */
function sharedLane({ tool }: EngineTask): { lane?: EngineLane } {
  if (!(tool in toolContracts)) return {}
  return { lane: isVideoTool(toolContracts[tool as ToolId]) ? 'video' : 'pictures' }
}

async function taskOf(
  id: ToolId,
  step: EngineTask['step'],
  { params = {}, inputs, kept, done = [], test, labelled }: ToolTask,
): Promise<EngineTask> {
  const tool: AnyTool = toolContracts[id]
  const parsed = tool.parseParams(params)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  const inputFiles: EngineTask['inputs'] = {}
  for (const [name, { kind }] of Object.entries(tool.inputs)) {
    inputFiles[name] = await Promise.all((inputs[name] ?? []).map((bytes) => engineInput(kind, bytes)))
  }
  const keptFiles = kept && (await Promise.all(kept.map(keptFile)))
  const given = { ...(keptFiles && { kept: keptFiles }), ...(test && { test }), ...(labelled && { labelled }) }
  return { step, tool: id, params: parsed.params, inputs: inputFiles, done, ...given }
}

/** Videos are files for the engine, as on the server. */
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

/** Videos are files with the facts of an upload. */
export async function engineInput(kind: EngineInput['kind'], bytes: Uint8Array): Promise<EngineInput> {
  if (kind !== 'video') return { kind, contentType: '', bytes }
  const path = await videoFile(bytes)
  const facts = await readVideoInfo(videoInMemory(bytes))
  return { kind, path, ...(typeof facts === 'string' ? { contentType: 'video/mp4', seconds: 1 } : facts) }
}
