import type { ErrorCode } from '#contract/errors.ts'
import { EngineError } from '#engine/error.ts'
import { AppError } from '#server/http/app-error.ts'
import { publish } from '#server/notify.ts'
import type { RunDeps } from './run-generation.ts'

interface AwaitedJob {
  jobId: string
  /** What the log calls it, and what it is about. */
  name: string
  about: Record<string, string>
}

/**
 * Does in the worker what somebody waits for with `awaitJob`, and tells them how it went; a job
 * that is cut off comes again, in another process if need be.
 */
export async function runAwaited(
  { db, log }: Pick<RunDeps, 'db' | 'log'>,
  { jobId, name, about }: AwaitedJob,
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  let error: ErrorCode | null = null
  try {
    await work()
  } catch (failure) {
    if (signal.aborted) throw failure
    error = failure instanceof EngineError || failure instanceof AppError ? failure.code : 'engine.failed'
    log.warn({ err: failure, ...about, code: error }, `${name} failed`)
  }
  await publish(db, { kind: 'job_done', jobId, error })
}
