import { eq } from 'drizzle-orm'
import { EngineError } from '#engine/error.ts'
import { isDatabaseOutage } from '#server/db/errors.ts'
import type { Deps } from '#server/deps.ts'
import { AppError, appError } from '#server/http/app-error.ts'
import type { Jobs } from '#server/jobs/queue.ts'
import { publish } from '#server/notify.ts'
import type { ErrorCode } from '#shared/errors.ts'
import { isOpenStatus } from '../../rules.ts'
import type { Generation } from '../history/views.ts'
import { generations } from '../table.ts'

/** Queues whose jobs a request waits for. */
type AwaitedQueue = { [Name in keyof Jobs]: Jobs[Name] extends { jobId: string } ? Name : never }[keyof Jobs]

interface JobAnswer {
  error: ErrorCode | null
}

/** Polls because the end may have been notified before this process listened. */
const pollMilliseconds = 1000

/**
 * Sends a job, unless the same job waits or runs already, and waits for its end. Rejects with the
 * job's error or the signal's reason, with `server.busy` after so many seconds or the job's
 * timeout, or with `server.unavailable` when its thread crashed; the cause of the last two is an
 * EngineError.
 */
export async function awaitJob<Name extends AwaitedQueue>(
  { jobs, notifier }: Pick<Deps, 'jobs' | 'notifier'>,
  queue: Name,
  job: Jobs[Name],
  seconds: number,
  signal?: AbortSignal,
): Promise<void> {
  const { jobId } = job
  const { promise, resolve, reject } = Promise.withResolvers<JobAnswer | undefined>()
  const abort = () => reject(signal?.reason)
  const timer = setTimeout(() => resolve(undefined), seconds * 1000)
  let polling: NodeJS.Timeout | undefined
  let ended = false
  const poll = async () => {
    const answer = await jobs.outputOf(queue, jobId)
    if (answer) resolve(answer as JobAnswer)
  }
  const startPolling = () => {
    if (!ended) polling ??= setInterval(() => void poll().catch(() => {}), pollMilliseconds)
  }
  const leave = notifier.subscribe((notification) => {
    if (notification.kind === 'job_done' && notification.jobId === jobId) resolve(notification)
    if (notification.kind === 'resync') startPolling()
  })
  const send = async () => {
    // A running job may have reported its end before this process listened.
    if (!(await jobs.send(queue, job, { singletonKey: jobId }))) startPolling()
  }
  try {
    signal?.throwIfAborted()
    signal?.addEventListener('abort', abort, { once: true })
    // Awaited together, since the signal may abort while the job is being sent.
    const [answer] = await Promise.all([promise, send()])
    if (!answer) throw appError('server.busy', { retryAfter: 10, cause: new EngineError('engine.timeout') })
    if (!answer.error) return
    const cause = new EngineError(answer.error)
    if (answer.error === 'engine.timeout') throw appError('server.busy', { retryAfter: 30, cause })
    if (answer.error === 'engine.crashed') throw appError('server.unavailable', { retryAfter: 30, cause })
    throw appError(answer.error, { cause })
  } finally {
    ended = true
    clearTimeout(timer)
    clearInterval(polling)
    signal?.removeEventListener('abort', abort)
    leave()
  }
}

/**
 * Runs a job and reports its outcome to the waiting request. A job that is interrupted, or fails by
 * a database outage, is delivered again, possibly to another process. `about` is for the log.
 */
export async function runAwaitedJob(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  { jobId, ...about }: { jobId: string; tool?: string; generationId?: string },
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<JobAnswer> {
  let error: ErrorCode | null = null
  try {
    await work()
  } catch (failure) {
    if (signal.aborted || isDatabaseOutage(failure)) throw failure
    error = failure instanceof EngineError || failure instanceof AppError ? failure.code : 'engine.failed'
    log.warn({ err: failure, ...about, code: error }, 'a job of a waiting request failed')
  }
  await publish(db, { kind: 'job_done', jobId, error })
  return { error }
}

const maxWaitSeconds = 60
/** Catches an end whose notification was lost with its connection. */
const endPollMilliseconds = 2000

/** Seconds of `Prefer: wait=<seconds>` (RFC 7240), at most a minute; undefined without it. */
export function preferredWait(header: string | undefined): number | undefined {
  const seconds = /(?:^|[,;\s])wait=(\d{1,6})(?:$|[,;\s])/i.exec(header ?? '')?.[1]
  return seconds === undefined ? undefined : Math.min(maxWaitSeconds, Number(seconds))
}

/** Returns the generation once it has ended, else as it is after so many seconds. */
export async function awaitEnd(
  { db, notifier }: Pick<Deps, 'db' | 'notifier'>,
  generation: Generation,
  seconds: number,
  signal: AbortSignal,
): Promise<Generation> {
  const { id } = generation
  let latest = generation
  const { promise, resolve } = Promise.withResolvers<void>()
  const read = async () => {
    const [row] = await db.select().from(generations).where(eq(generations.id, id))
    if (row) latest = row
    if (!row || !isOpenStatus(row.status)) resolve()
  }
  const readLatest = () => void read().catch(() => {})
  const leave = notifier.subscribe((notification) => {
    if (notification.kind === 'generation' && notification.generationId === id) readLatest()
  })
  const polling = setInterval(readLatest, endPollMilliseconds)
  const timer = setTimeout(resolve, seconds * 1000)
  signal.addEventListener('abort', () => resolve(), { once: true })
  try {
    await read()
    await promise
    return latest
  } finally {
    leave()
    clearInterval(polling)
    clearTimeout(timer)
  }
}
