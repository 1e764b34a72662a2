import { and, inArray, lte, notInArray, or, sql } from 'drizzle-orm'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { addTime } from '#shared/time.ts'
import { inputDays, openStatuses } from '../rules.ts'
import { deleteOldPhotoChecks, runPhotoCheck } from './checks/photo-check.ts'
import type { ExecutionDeps } from './execution/engine-job.ts'
import { resendJobs } from './execution/resend-jobs.ts'
import { Cancelled, runGeneration } from './execution/run-generation.ts'
import { makeLinkPicture } from './files/link-picture.ts'
import { runThumbnail } from './files/make-thumbnail.ts'
import { deleteFiles } from './files/stored-files.ts'
import { runPreview } from './previews/run-preview.ts'
import { type EngineQueue, laneOf, type QueueName, queues } from './queues.ts'
import { rerender } from './rerendering/rerender.ts'
import { generationFiles, generations, renderings } from './table.ts'
import { cancelUnwantedJobs, handleJobNotification } from './tasks/provider-jobs.ts'
import { runSafetyCheck } from './tasks/refuse-unsafe.ts'

type RetentionDeps = Pick<Deps, 'db' | 'store' | 'clock'>

const batch = 200

/**
 * Deletes uploads after a week and results at the end of their retention. Layers are useless
 * without the uploads, so they are deleted with them.
 */
export async function deleteExpiredFiles({ db, store, clock }: RetentionDeps, signal?: AbortSignal): Promise<number> {
  const now = clock()
  const uploads = addTime(now, { days: -inputDays })
  const old = db.select({ id: generations.id }).from(generations).where(lte(generations.createdAt, uploads))
  await db.delete(renderings).where(inArray(renderings.generationId, old))
  let deleted = 0
  for (;;) {
    signal?.throwIfAborted()
    const keys = await transact(db, async (tx) => {
      const due = tx
        .select({ id: generationFiles.id })
        .from(generationFiles)
        .innerJoin(generations, sql`${generations.id} = ${generationFiles.generationId}`)
        .where(
          and(
            notInArray(generations.status, [...openStatuses]),
            or(
              lte(generations.expiresAt, now),
              and(
                lte(generations.createdAt, uploads),
                inArray(generationFiles.role, ['input', 'earlier', 'kept', 'task']),
              ),
            ),
          ),
        )
        .limit(batch)
      return await deleteFiles(tx, inArray(generationFiles.id, due), now)
    })
    await store.delete(keys)
    deleted += keys.length
    if (keys.length < batch) return deleted
  }
}

export async function workGenerations(deps: Deps & ExecutionDeps): Promise<void> {
  const { jobs, notifier, engine, config, space } = deps
  const running = new Map<string, AbortController>()
  const run = async ({ generationId }: { generationId: string }, signal: AbortSignal, release: () => void) => {
    const cancel = new AbortController()
    running.set(generationId, cancel)
    try {
      await runGeneration(deps, generationId, AbortSignal.any([signal, cancel.signal]), release)
    } finally {
      running.delete(generationId)
    }
  }
  notifier.subscribe((notification) => {
    if (notification.kind !== 'cancel') return
    const { generationId } = notification
    running.get(generationId)?.abort(new Cancelled())
    // The periodic call below repairs a failure.
    void cancelUnwantedJobs(deps, generationId).catch(() => {})
  })
  for (const provider of deps.providers) {
    provider.listen?.((change) => void handleJobNotification(deps, provider, change).catch(() => {}))
  }

  const handlers: { [Name in QueueName]: Parameters<typeof jobs.work<Name>>[2] } = {
    'run-generation': run,
    'run-video': run,
    'render-generation': (job, signal) => rerender(deps, job, signal),
    'render-video': (job, signal) => rerender(deps, job, signal),
    'check-photos': (job, signal) => runPhotoCheck(deps, job, signal),
    'check-video': (job, signal) => runPhotoCheck(deps, job, signal),
    'make-preview': (job, signal) => runPreview(deps, job, signal),
    'make-link-picture': (job, signal) => makeLinkPicture(deps, job, signal),
    'make-thumbnail': (job, signal) => runThumbnail(deps, job, signal),
    'check-safety': (job, signal) => runSafetyCheck(deps, job, signal),
  }
  const work = async <Name extends QueueName>(name: Name) => {
    const { threads, concurrency, perOwner }: EngineQueue = queues[name]
    const options = { concurrency: concurrency ?? engine.lanes[threads], perOwner, ready: () => space.require() }
    await jobs.work(name, options, handlers[name])
  }
  for (const name of Object.keys(queues) as QueueName[]) {
    if (config.lanes.includes(laneOf[queues[name].threads])) await work(name)
  }

  if (config.lanes.includes('pictures')) {
    await jobs.work('install-model', 1, ({ name }, signal) => deps.models.add(name, signal))
  }

  await jobs.every('resend-generations', 5, () => resendJobs(deps))
  await jobs.every('cancel-provider-jobs', 5, () => cancelUnwantedJobs(deps))
  await jobs.every('delete-expired-files', 3600, async (signal) => {
    await deleteExpiredFiles(deps, signal)
  })
  await jobs.every('delete-old-photo-checks', 3600, () => deleteOldPhotoChecks(deps))
}
