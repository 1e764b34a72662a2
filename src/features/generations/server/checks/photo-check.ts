import { createHash } from 'node:crypto'
import { eq, lt } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { type AnyTool, findTool, type PhotoCheck } from '#tools/contract/tool.ts'
import type { AcceptedRequest } from '../execution/accept-request.ts'
import { awaitJob, runAwaitedJob } from '../execution/await-job.ts'
import { contentHash } from '../execution/content-hash.ts'
import { type ExecutionDeps, engineJob } from '../execution/engine-job.ts'
import { checkQueueOf, type JobFile, jobFile, type PhotoCheckJob, queues } from '../queues.ts'
import { photoChecks } from '../table.ts'
import { availableProvidersOfTools } from '../tasks/provider-order.ts'
import { safetyProblems } from '../tasks/refuse-unsafe.ts'

/** Each of a check's two steps has this timeout. */
const photoCheckSeconds = 50
/** The check continues after this time, for the next request. */
const waitSeconds = 30
const keptMilliseconds = 24 * 3_600_000

type CheckDeps = Pick<Deps, 'db' | 'providers'>

/** Cached findings, or the key under which they will be cached. */
export async function knownPhotoCheck(
  deps: CheckDeps,
  request: AcceptedRequest,
): Promise<{ photoCheck?: PhotoCheck | undefined; awaitedCheck?: string }> {
  if (!(await needsCheck(deps, request.tool))) return {}
  const hash = contentHash(request, request.files)
  const photoCheck = await readPhotoCheck(deps, hash)
  return photoCheck ? { photoCheck } : { awaitedCheck: hash }
}

/**
 * Returns undefined for tools without a check. Throws `server.busy` when the check takes too long;
 * it continues, and the next request waits for it.
 */
export async function photoCheckOf(
  deps: CheckDeps & Pick<Deps, 'jobs' | 'notifier'>,
  request: AcceptedRequest,
): Promise<PhotoCheck | undefined> {
  const { photoCheck, awaitedCheck: contentHash } = await knownPhotoCheck(deps, request)
  if (!contentHash) return photoCheck
  const job = checkJob({ jobId: jobIdOf(contentHash, request.files), ...request, contentHash })
  await awaitJob(deps, checkQueueOf(request.tool), job, waitSeconds)
  return await readPhotoCheck(deps, contentHash)
}

export async function needsCheck(deps: CheckDeps, tool: AnyTool): Promise<boolean> {
  const { checksPhotos } = tool
  if (!checksPhotos || checksPhotos === true) return checksPhotos === true
  const candidates = (await availableProvidersOfTools(deps, [tool])).get(tool.id)?.get(checksPhotos) ?? []
  // The user's consent is not considered here.
  return !candidates.some(({ remote }) => !remote)
}

interface PhotoCheckRequest {
  jobId: string
  tool: AnyTool
  params: Record<string, unknown>
  files: readonly JobFile[]
  contentHash: string
}

const checkJob = ({ tool, files, ...job }: PhotoCheckRequest): PhotoCheckJob => ({
  jobId: job.jobId,
  params: job.params,
  contentHash: job.contentHash,
  tool: tool.id,
  inputs: files.map(jobFile),
})

/** A repeated request for the same files of one account finds its check. */
function jobIdOf(contentHash: string, files: readonly JobFile[]): string {
  const keys = files.map(({ storageKey }) => storageKey)
  return createHash('sha256')
    .update([contentHash, ...keys].join(' '))
    .digest('hex')
}

/** Starts the check of an existing generation; the job has the generation's id. */
export async function startPhotoCheck({ jobs }: Pick<Deps, 'jobs'>, request: PhotoCheckRequest): Promise<void> {
  await jobs.send(checkQueueOf(request.tool), checkJob(request), { singletonKey: request.jobId })
}

/** Waits for the check while its job exists; starts a lost check again. */
export async function finishedPhotoCheck(
  deps: Pick<Deps, 'db' | 'jobs' | 'notifier'>,
  request: PhotoCheckRequest,
  signal: AbortSignal,
): Promise<PhotoCheck | undefined> {
  const known = await readPhotoCheck(deps, request.contentHash)
  if (known) return known
  const queue = checkQueueOf(request.tool)
  await awaitJob(deps, queue, checkJob(request), queues[queue].retentionSeconds, signal)
  return await readPhotoCheck(deps, request.contentHash)
}

async function readPhotoCheck({ db }: Pick<Deps, 'db'>, contentHash: string): Promise<PhotoCheck | undefined> {
  const [row] = await db.select().from(photoChecks).where(eq(photoChecks.contentHash, contentHash))
  return row?.photoCheck
}

export function runPhotoCheck(deps: ExecutionDeps, job: PhotoCheckJob, signal: AbortSignal) {
  return runAwaitedJob(deps, job, signal, async () => {
    const { contentHash, params, inputs: files } = job
    const tool = findTool(deps.tools, job.tool)
    if (!tool) throw appError('tool.unknown')
    // A concurrent job may have done the same check.
    if (await readPhotoCheck(deps, contentHash)) return
    const given = { tool, params, files, contentHash }
    const queue = checkQueueOf(tool)
    const limits = { signal, seconds: photoCheckSeconds }
    const found = await engineJob(deps, queue, given, limits)
    const unsafe = await safetyProblems(deps, queue, given, limits)
    const photoCheck = { ...found, problems: [...unsafe, ...found.problems] }
    await deps.db.insert(photoChecks).values({ contentHash, photoCheck, createdAt: deps.clock() }).onConflictDoNothing()
  })
}

export async function deleteOldPhotoChecks({ db, clock }: Pick<ExecutionDeps, 'db' | 'clock'>): Promise<void> {
  await db.delete(photoChecks).where(lt(photoChecks.createdAt, new Date(clock().getTime() - keptMilliseconds)))
}
