import { uploads } from '#features/uploads/server/uploads.ts'
import type { Deps } from '#server/deps.ts'
import type { Jobs } from '#server/jobs/queue.ts'
import { smallPicture } from '#tools/engine/small-picture.ts'
import { awaitJob, runAwaitedJob } from '../execution/await-job.ts'
import { type ExecutionDeps, engineJob } from '../execution/engine-job.ts'
import { type JobFile, jobFile } from '../queues.ts'

const seconds = 20

/** Stores a thumbnail under a new, announced key; the caller must keep it. */
export async function makeThumbnail(
  deps: Pick<Deps, 'jobs' | 'notifier'>,
  picture: Omit<JobFile, 'input' | 'seconds'>,
  storageKey: string,
): Promise<void> {
  const files = [jobFile({ ...picture, input: 'picture', seconds: 0 })]
  await awaitJob(deps, 'make-thumbnail', { jobId: crypto.randomUUID(), storageKey, files }, seconds)
}

export function runThumbnail(
  deps: ExecutionDeps,
  { jobId, storageKey, files }: Jobs['make-thumbnail'],
  signal: AbortSignal,
) {
  return runAwaitedJob(deps, { jobId }, signal, async () => {
    const job = { tool: smallPicture, params: {}, files }
    const { thumbnail } = await engineJob(deps, 'make-thumbnail', job, { signal, seconds })
    if (!thumbnail) throw new Error('a picture has no thumbnail')
    const { bytes } = thumbnail
    await uploads.announceFiles(deps.db, { files: [{ storageKey, bytes: bytes.length }], now: deps.clock() })
    await deps.store.put(storageKey, bytes)
  })
}
