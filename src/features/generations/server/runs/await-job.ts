import { EngineError } from '#engine/error.ts'
import type { Deps } from '#server/deps.ts'
import { AppError } from '#server/http/app-error.ts'
import type { Notification } from '#server/notify.ts'

type JobDone = Extract<Notification, { kind: 'job_done' }>

const overloads = new Set<string>(['engine.timeout', 'engine.crashed'])

/**
 * Sends a job and waits until a worker says that it is done; rejects with the error of the job, or
 * `server.unavailable` when nobody says anything for so long.
 */
export async function awaitJob(
  { notifier }: Pick<Deps, 'notifier'>,
  jobId: string,
  seconds: number,
  send: () => Promise<void>,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<JobDone | undefined>()
  const timer = setTimeout(() => resolve(undefined), seconds * 1000)
  const leave = notifier.subscribe((notification) => {
    if (notification.kind === 'job_done' && notification.jobId === jobId) resolve(notification)
  })
  try {
    await send()
    const done = await promise
    if (!done) throw new AppError('server.unavailable', { retryAfter: 10 })
    if (!done.error) return
    const cause = new EngineError(done.error)
    // Too much for the moment, or one thread less: the next try may find better times.
    if (overloads.has(done.error)) throw new AppError('server.unavailable', { retryAfter: 30, cause })
    throw new AppError(done.error, { cause })
  } finally {
    clearTimeout(timer)
    leave()
  }
}
