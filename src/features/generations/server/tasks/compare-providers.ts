import { engineProviderId } from '#providers/provider.ts'
import { appError } from '#server/http/app-error.ts'
import { reasonOf } from '#server/log.ts'
import { previewKeys } from '../previews/preview-files.ts'
import { type EngineJob, type Options, prepareJob, type RunDeps } from '../runs/engine-job.ts'
import { outputsOf } from './follow-job.ts'
import { runTaskForAdmin } from './run-task-for-admin.ts'

interface Comparison {
  provider: string
  jobId: string
}

/** Runs all tasks that the provider can do. A failure of the provider is returned as a sentence. */
export async function runTasksAtProvider(
  deps: RunDeps,
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
    for (const { place, ...work } of await prepareJob(deps, 'make-preview', job, limits)) {
      const task = job.tool.tasks[place.split('/')[0] as string]
      if (!task || !able.includes(task)) continue
      const { result } = await runTaskForAdmin(deps, provider, { task, work }, limits.signal)
      for (const { label, contentType, bytes } of outputsOf(place, result)) {
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
