import { join } from 'node:path'
import { locationFiles } from '#features/locations/server/locations.ts'
import type { Deps } from '#server/deps.ts'
import { AppError, appError } from '#server/http/app-error.ts'
import { derivedKey } from '#server/secrets.ts'
import type { AnyTool, PhotoCheck } from '#tools/contract/tool.ts'
import type { EnginePool } from '#tools/threads/pool.ts'
import type {
  EngineInput,
  EngineOutcome,
  EngineRunOptions,
  EngineTask,
  KeptFile,
  PreparedTask,
} from '#tools/threads/task.ts'
import type { GenerationFile } from '../history/views.ts'
import { type JobFile, type QueueName, queues } from '../queues.ts'
import { readToolSettings } from '../tools.ts'

export type ExecutionDeps = Pick<
  Deps,
  'db' | 'store' | 'clock' | 'config' | 'log' | 'tools' | 'jobs' | 'notifier' | 'providers' | 'withFolder'
> & {
  engine: EnginePool
}

type EngineDeps = Pick<ExecutionDeps, 'db' | 'store' | 'withFolder' | 'engine' | 'config'>

type StoredLayer = Pick<GenerationFile, 'storageKey' | 'label' | 'contentType'>

export interface EngineJob extends Pick<EngineTask, 'params' | 'contentHash' | 'test'> {
  tool: AnyTool
  files: readonly JobFile[]
  /** Layers of the generation that is rendered again. */
  kept?: readonly StoredLayer[]
  /** Results of providers. */
  done?: readonly StoredLayer[]
  /** Results of providers that are not stored. */
  results?: readonly KeptFile[]
  /** Staff compare providers, so the watermark consists of letters only. */
  compared?: boolean
}

type EngineJobInput = Omit<EngineJob, 'tool'> & { tool: Pick<AnyTool, 'id' | 'inputs'> }

export interface Options extends Omit<EngineRunOptions, 'lane' | 'timeLimit'> {
  signal: AbortSignal
  /** Timeout: the thread is stopped, and the job fails with `engine.timeout`. */
  seconds: number
}

type Result<Name extends QueueName> = (typeof queues)[Name]['step'] extends 'check' ? PhotoCheck : EngineOutcome

/** Rejects with an EngineError, or with the signal's reason. */
export function engineJob<Name extends QueueName>(
  deps: EngineDeps,
  queue: Name,
  job: EngineJobInput,
  options: Options,
): Promise<Result<Name>> {
  const { step } = queues[queue]
  return withTask(deps, queue, { step, job, options }, (task, limits) => {
    const result = step === 'check' ? deps.engine.check(task, limits) : deps.engine.run(task, limits)
    return result as Promise<Result<Name>>
  })
}

/** Computes the inputs of tasks for providers. Rejects like {@link engineJob}. */
export function prepareJob(
  deps: EngineDeps,
  queue: QueueName,
  job: Omit<EngineJob, 'tool'> & { tool: Pick<AnyTool, 'id' | 'inputs' | 'tasks'> },
  options: Options,
): Promise<PreparedTask[]> {
  return withTask(deps, queue, { step: 'prepare', job, options }, (task, limits) => deps.engine.prepare(task, limits))
}

function withTask<Made>(
  { db, store, withFolder, config }: EngineDeps,
  queue: QueueName,
  { step, job, options }: { step: EngineTask['step']; job: EngineJobInput; options: Options },
  perform: (task: EngineTask, limits: EngineRunOptions) => Promise<Made>,
): Promise<Made> {
  const { tool, files, kept = [], done = [], results = [], compared = false, ...given } = job
  const { seconds, ...watch } = options
  const limits = { ...watch, lane: queues[queue].threads, timeLimit: seconds * 1000 }
  return withFolder(async (folder) => {
    const fetched = <File extends { storageKey: string }>(those: readonly File[], group: string) =>
      Promise.all(
        those.map(async (file, index) => {
          const path = join(folder, `${group}-${index}`)
          await store.fetch(file.storageKey, path)
          return { ...file, path }
        }),
      )
    const inputs = engineInputs(tool, await fetched(files, 'input'))
    const watermark = { key: derivedKey(config.jwtSecret, `preview watermark: ${tool.id}`), lettersOnly: compared }
    const task: EngineTask = { ...given, step, tool: tool.id, inputs, watermark }
    if (done.length + results.length > 0) task.done = [...(await fetched(done, 'done')).map(keptFile), ...results]
    if (step !== 'check') {
      task.locations = await fetched(await locationFiles(db, given.params), 'location').catch(sceneRemoved)
    }
    if (labelledSteps.has(step) && !compared) task.labelled = (await readToolSettings(db, tool.id)).markRequired
    if (step === 'render') task.kept = (await fetched(kept, 'kept')).map(keptFile)
    return await perform(task, limits)
  })
}

/** Steps whose results carry the visible label that admins may require. */
const labelledSteps = new Set<EngineTask['step']>(['generate', 'render', 'preview'])

/** The file of a location that was removed long ago. */
function sceneRemoved(error: unknown): never {
  throw error instanceof AppError && error.code === 'file.not_found'
    ? appError('tool.scene_removed', { cause: error })
    : error
}

const keptFile = ({ path, label, contentType }: StoredLayer & { path: string }): KeptFile => {
  return { path, label, contentType }
}

function engineInputs(
  tool: Pick<AnyTool, 'inputs'>,
  files: readonly (JobFile & { path: string })[],
): Record<string, EngineInput[]> {
  const inputs = Object.entries(tool.inputs).map(([name, { kind }]) => {
    const its = files.filter(({ input }) => input === name)
    return [
      name,
      its.map(({ path, contentType, width, height, seconds }) => ({ kind, path, contentType, width, height, seconds })),
    ] as const
  })
  return Object.fromEntries(inputs)
}

export function inputsOf(files: readonly GenerationFile[]): (GenerationFile & { input: string })[] {
  return files
    .filter(({ role }) => role === 'input')
    .toSorted((a, b) => a.position - b.position)
    .map((file) => ({ ...file, input: file.label }))
}
