import { createHash } from 'node:crypto'
import { eq, lt } from 'drizzle-orm'
import type { TaskName } from '#engine/task-types.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { reasonOf } from '#server/log.ts'
import { addTime } from '#shared/time.ts'
import { type AnyTool, findTool, type PhotoCheck } from '#tools/contract/tool.ts'
import type { KeptFile } from '#tools/threads/task.ts'
import type { AcceptedFile, AcceptedRequest } from '../execution/accept-request.ts'
import { awaitJob, runAwaitedJob } from '../execution/await-job.ts'
import { type EngineJob, type ExecutionDeps, engineJob, type Options, prepareJob } from '../execution/engine-job.ts'
import type { GenerationRequest } from '../execution/read-request.ts'
import { checkQueueOf, type JobFile, jobFile, type PhotoCheckJob, queues } from '../queues.ts'
import { photoChecks } from '../table.ts'
import { outputsOf } from '../tasks/follow-job.ts'
import { providersFor } from '../tasks/provider-order.ts'
import { safetyProblems } from '../tasks/refuse-unsafe.ts'
import { isAskedNow, runTaskNow } from '../tasks/run-task-now.ts'

/** Each of a check's steps has this timeout. */
const photoCheckSeconds = 50
/** The check continues after this time, for the next request. */
const waitSeconds = 30
const keptHours = 24

type CheckDeps = Pick<Deps, 'db'>

/** Cached findings, or the key under which they will be cached. */
export async function knownPhotoCheck(
  deps: CheckDeps,
  request: AcceptedRequest,
): Promise<{ photoCheck?: PhotoCheck | undefined; awaitedCheck?: string }> {
  if (!request.tool.checksPhotos) return {}
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
    const found = await checkWithProviders(deps, queue, given, limits)
    const unsafe = await safetyProblems(deps, queue, given, limits)
    const photoCheck = { ...found, problems: [...unsafe, ...found.problems] }
    await deps.db.insert(photoChecks).values({ contentHash, photoCheck, createdAt: deps.clock() }).onConflictDoNothing()
  })
}

/**
 * The engine's findings. Where they are problems that a provider may solve, the local ones do their
 * task and the engine judges the result; those that cannot be asked now get the benefit of the
 * doubt if the tool says so, as their results are judged before they are sold.
 */
async function checkWithProviders(
  deps: ExecutionDeps,
  queue: ReturnType<typeof checkQueueOf>,
  job: EngineJob,
  limits: Options,
): Promise<PhotoCheck> {
  const { tool } = job
  const own = await engineJob(deps, queue, job, limits)
  if (own.problems.length === 0 || !Array.isArray(tool.checksPhotos)) return own
  const candidates = await providersFor(deps, tool)
  const wanted = Object.entries(tool.tasks).filter(([, task]) => (tool.checksPhotos as TaskName[]).includes(task))
  const able = wanted.flatMap(([name]) => candidates.get(name) ?? [])
  if (able.length === 0) return own
  const results = able.some(isAskedNow) ? await resultsNow(deps, queue, job, { wanted, limits }) : []
  const { problems, ...found } = results.length > 0 ? await engineJob(deps, queue, { ...job, results }, limits) : own
  const isOpen = (code: string) => tool.solvedByProviders?.some((own) => own === code) && !able.every(isAskedNow)
  return { ...found, problems: problems.filter(({ code }) => !isOpen(code)) }
}

async function resultsNow(
  deps: ExecutionDeps,
  queue: ReturnType<typeof checkQueueOf>,
  job: EngineJob,
  { wanted, limits }: { wanted: readonly [name: string, task: TaskName][]; limits: Options },
): Promise<KeptFile[]> {
  const results: KeptFile[] = []
  const signal = AbortSignal.any([limits.signal, AbortSignal.timeout(1000 * limits.seconds)])
  for (const { taskKey, ...work } of await prepareJob(deps, queue, job, limits)) {
    const task = wanted.find(([name]) => name === taskKey.split('/')[0])?.[1]
    if (!task) continue
    const result = await runTaskNow(deps, { tool: job.tool.id, task, work }, signal).catch((error: unknown) => {
      limits.signal.throwIfAborted()
      deps.log.warn({ task, reason: reasonOf(error) }, 'no provider did its task within the check')
      return undefined
    })
    if (result) results.push(...outputsOf(taskKey, result))
  }
  return results
}

export async function deleteOldPhotoChecks({ db, clock }: Pick<ExecutionDeps, 'db' | 'clock'>): Promise<void> {
  await db.delete(photoChecks).where(lt(photoChecks.createdAt, addTime(clock(), { hours: -keptHours })))
}

/**
 * SHA-256 over tool, parameters, and each input's content by name and order, so the same file
 * uploaded again makes the same request.
 */
export function contentHash(
  { tool, params }: Pick<GenerationRequest, 'tool' | 'params'>,
  files: Pick<AcceptedFile, 'input' | 'sha256'>[],
): string {
  const hash = createHash('sha256').update(JSON.stringify([tool.id, canonical(params)]))
  for (const { input, sha256 } of files.toSorted((a, b) => (a.input < b.input ? -1 : a.input > b.input ? 1 : 0))) {
    hash.update(`\n${input}:`).update(Buffer.from(sha256, 'hex'))
  }
  return hash.digest('hex')
}

/** Sorts the keys of objects. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, canonical(part)]),
  )
}
