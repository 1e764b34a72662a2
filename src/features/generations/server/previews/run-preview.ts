import { engineProviderId } from '#providers/provider.ts'
import { appError } from '#server/http/app-error.ts'
import type { Jobs } from '#server/jobs/queue.ts'
import { reasonOf } from '#server/log.ts'
import { findTool } from '#tools/contract/tool.ts'
import { runAwaitedJob } from '../execution/await-job.ts'
import { type EngineJob, type ExecutionDeps, engineJob, type Options, prepareJob } from '../execution/engine-job.ts'
import { outputsOf } from '../tasks/follow-job.ts'
import { runTaskForAdmin } from '../tasks/test-provider.ts'
import { type MadePreview, previewKeys } from './preview-limits.ts'

export const previewSeconds = 60

export function runPreview(deps: ExecutionDeps, job: Jobs['make-preview'], signal: AbortSignal) {
  return runAwaitedJob(deps, job, signal, async () => {
    const { jobId, params, inputs: files, provider } = job
    const { store, tools } = deps
    const tool = findTool(tools, job.tool)
    if (!tool) throw appError('tool.unknown')
    const limits = { signal, seconds: previewSeconds }
    const started = performance.now()
    const given = { tool, params, files }
    const compared = provider ? await runTasksAtProvider(deps, { provider, jobId }, given, limits) : { done: [] }
    const { outputs, warnings } =
      'failed' in compared
        ? { outputs: [], warnings: [] }
        : await engineJob(deps, 'make-preview', { ...given, ...compared, compared: provider !== undefined }, limits)
    for (const [index, { bytes }] of outputs.entries()) {
      await store.put(previewKeys.output(jobId, index), bytes)
    }
    const made: MadePreview = {
      outputs: outputs.map(({ label, contentType, width, height }) => ({ label, contentType, width, height })),
      warnings,
      seconds: (performance.now() - started) / 1000,
      ...('failed' in compared && { failed: compared.failed }),
    }
    await store.put(previewKeys.made(jobId), Buffer.from(JSON.stringify(made)))
  })
}

interface Comparison {
  provider: string
  jobId: string
}

/** Runs all tasks that the provider can do. A failure of the provider is returned as a sentence. */
async function runTasksAtProvider(
  deps: ExecutionDeps,
  { provider: id, jobId }: Comparison,
  job: EngineJob,
  limits: Options,
): Promise<{ done: NonNullable<EngineJob['done']> } | { failed: string }> {
  if (id === engineProviderId) return { done: [] }
  const provider = deps.providers.find((known) => known.id === id)
  if (!provider) throw appError('request.not_found')
  const able = await provider.tasks()
  const done: { storageKey: string; label: string; contentType: string }[] = []
  try {
    for (const { taskKey, ...work } of await prepareJob(deps, 'make-preview', job, limits)) {
      const task = job.tool.tasks[taskKey.split('/')[0] as string]
      if (!task || !able.includes(task)) continue
      const { result } = await runTaskForAdmin(deps, provider, { task, work }, limits.signal)
      for (const { label, contentType, bytes } of outputsOf(taskKey, result)) {
        const storageKey = previewKeys.done(jobId, done.length)
        await deps.store.put(storageKey, bytes)
        done.push({ storageKey, label, contentType })
      }
    }
    return { done }
  } catch (error) {
    limits.signal.throwIfAborted()
    return { failed: reasonOf(error) }
  }
}
