import { eq, lt } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { findTool, type PhotoCheck } from '#tools/contract/tool.ts'
import { checkQueueOf, jobFile, type PhotoCheckJob } from '../queues.ts'
import type { AcceptedRun } from '../runs/accept-run.ts'
import { answerJob, awaitJob } from '../runs/await-job.ts'
import { contentHash } from '../runs/content-hash.ts'
import { engineJob } from '../runs/engine-job.ts'
import type { RunDeps } from '../runs/run-generation.ts'
import { photoChecks } from '../table.ts'

/** Seconds after which nobody waits for a check any longer. */
const photoCheckSeconds = 30
const keptMilliseconds = 24 * 3_600_000

/**
 * What the free check of a run's inputs finds, found before or now; undefined for tools that have
 * none.
 */
export async function photoCheckOf(
  deps: Pick<Deps, 'db' | 'jobs' | 'notifier'>,
  run: AcceptedRun,
): Promise<PhotoCheck | undefined> {
  const { tool, params, files } = run
  if (!tool.checksPhotos) return undefined
  const hash = contentHash(run, files)
  const known = await readPhotoCheck(deps, hash)
  if (known) return known
  const jobId = crypto.randomUUID()
  const job: PhotoCheckJob = { jobId, tool: tool.id, params, contentHash: hash, inputs: files.map(jobFile) }
  await awaitJob(deps, checkQueueOf(tool), job, photoCheckSeconds + 15)
  return await readPhotoCheck(deps, hash)
}

async function readPhotoCheck({ db }: Pick<Deps, 'db'>, contentHash: string): Promise<PhotoCheck | undefined> {
  const [row] = await db.select().from(photoChecks).where(eq(photoChecks.contentHash, contentHash))
  return row?.photoCheck
}

/** Does the work of a free check in the worker, and keeps what it finds. */
export function runPhotoCheck(deps: RunDeps, job: PhotoCheckJob, signal: AbortSignal) {
  return answerJob(deps, job, signal, async () => {
    const { contentHash, params, inputs: files } = job
    const tool = findTool(deps.tools, job.tool)
    if (!tool) throw appError('tool.unknown')
    const given = { tool, params, files, contentHash }
    const photoCheck = await engineJob(deps, checkQueueOf(tool), given, { signal, seconds: photoCheckSeconds })
    await deps.db.insert(photoChecks).values({ contentHash, photoCheck, createdAt: deps.clock() }).onConflictDoNothing()
  })
}

/** Forgets what checks found a day ago. */
export async function deleteOldPhotoChecks({ db, clock }: Pick<RunDeps, 'db' | 'clock'>): Promise<void> {
  await db.delete(photoChecks).where(lt(photoChecks.createdAt, new Date(clock().getTime() - keptMilliseconds)))
}
