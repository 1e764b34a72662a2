import { join } from 'node:path'
import type { Deps } from '#server/deps.ts'
import type { AnyTool, PhotoCheck } from '#tools/contract/tool.ts'
import type { EnginePool } from '#tools/threads/pool.ts'
import type { EngineInput, EngineOutcome, EngineRunOptions, EngineTask } from '#tools/threads/task.ts'
import type { GenerationFile } from '../history/views.ts'
import { type JobFile, type QueueName, queues } from '../queues.ts'

/** What the worker of the engine's queues has. */
export type RunDeps = Pick<Deps, 'db' | 'store' | 'clock' | 'log' | 'tools' | 'jobs' | 'notifier' | 'withFolder'> & {
  engine: EnginePool
}

/** What the engine is given, with files that lie in the store. */
interface EngineJob extends Pick<EngineTask, 'params' | 'contentHash' | 'provider' | 'remoteJobs'> {
  tool: AnyTool
  files: readonly JobFile[]
  /** What was kept of the run that is rendered again. */
  kept?: readonly GenerationFile[]
}

interface Options extends Omit<EngineRunOptions, 'lane' | 'timeLimit'> {
  signal: AbortSignal
  /** After which the thread is stopped, and the job fails with `engine.timeout`. */
  seconds: number
}

type Result<Name extends QueueName> = (typeof queues)[Name]['step'] extends 'check' ? PhotoCheck : EngineOutcome

/**
 * Does the step of a queue, on its threads: checks, runs, renders again or previews. Rejects with
 * an EngineError, or with the signal's reason.
 */
export function engineJob<Name extends QueueName>(
  { store, engine, withFolder }: Pick<Deps, 'store' | 'withFolder'> & { engine: EnginePool },
  queue: Name,
  { tool, files, kept = [], ...given }: EngineJob,
  { seconds, ...options }: Options,
): Promise<Result<Name>> {
  const { step, threads } = queues[queue]
  const limits = { ...options, lane: threads, timeLimit: seconds * 1000 }
  return withFolder(async (folder) => {
    const fetched = <File extends { storageKey: string }>(files: readonly File[], group: string) =>
      Promise.all(
        files.map(async (file, index) => {
          const path = join(folder, `${group}-${index}`)
          await store.fetch(file.storageKey, path)
          return { ...file, path }
        }),
      )
    const inputs = engineInputs(tool, await fetched(files, 'input'))
    const task: EngineTask = { ...given, step, tool: tool.id, inputs }
    if (step === 'render') {
      const layers = await fetched(kept, 'kept')
      task.kept = layers.map(({ path, label, contentType }) => ({ path, label, contentType }))
    }
    const result = step === 'check' ? engine.check(task, limits) : engine.run(task, limits)
    return (await result) as Result<Name>
  })
}

/** Every input of the tool by its name, in the order given. */
function engineInputs(tool: AnyTool, files: readonly (JobFile & { path: string })[]): Record<string, EngineInput[]> {
  const inputs = Object.entries(tool.inputs).map(([name, { kind }]) => {
    const its = files.filter(({ input }) => input === name)
    return [
      name,
      its.map(({ path, contentType, width, height, seconds }) => ({ kind, path, contentType, width, height, seconds })),
    ] as const
  })
  return Object.fromEntries(inputs)
}

/** The files that a generation was given, in order. */
export function inputsOf(files: readonly GenerationFile[]): (GenerationFile & { input: string })[] {
  return files
    .filter(({ role }) => role === 'input')
    .toSorted((a, b) => a.position - b.position)
    .map((file) => ({ ...file, input: file.label }))
}
