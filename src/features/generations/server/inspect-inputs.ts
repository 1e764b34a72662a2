import { lt } from 'drizzle-orm'
import type { ErrorCode } from '#contract/errors.ts'
import { EngineError } from '#engine/error.ts'
import { AppError } from '#server/http/app-error.ts'
import type { Jobs } from '#server/jobs/queue.ts'
import { publish } from '#server/notify.ts'
import { findTool } from '#tools/tool.ts'
import { withEngineInputs } from './engine-files.ts'
import { inspectionSeconds } from './inspection-of.ts'
import type { RunDeps } from './run-generation.ts'
import { inspections } from './table.ts'

const keptMilliseconds = 24 * 3_600_000

/** Does the work of a free check in the worker, keeps what it finds, and tells whoever waits how it went. */
export async function inspectInputs(deps: RunDeps, job: Jobs['inspect-inputs'], signal: AbortSignal): Promise<void> {
  let error: ErrorCode | null = null
  try {
    await inspect(deps, job, signal)
  } catch (failure) {
    // The job comes again, in another process if need be.
    if (signal.aborted) throw failure
    error = failure instanceof EngineError || failure instanceof AppError ? failure.code : 'engine.failed'
    deps.log.warn({ err: failure, tool: job.tool, code: error }, 'check failed')
  }
  await publish(deps.db, { kind: 'job_done', jobId: job.jobId, error })
}

async function inspect(
  { db, store, engine, clock, tools }: RunDeps,
  { tool: id, params, contentHash, inputs }: Jobs['inspect-inputs'],
  signal: AbortSignal,
): Promise<void> {
  const tool = findTool(tools, id)
  if (!tool) throw new AppError('tool.unknown')
  const inspection = await withEngineInputs(store, tool, inputs, (files) =>
    engine.inspect(
      { step: 'inspect', tool: id, params, inputs: files, contentHash },
      { lane: tool.lane === 'video' ? 'video_check' : 'interactive', signal, timeLimit: inspectionSeconds * 1000 },
    ),
  )
  await db.insert(inspections).values({ contentHash, inspection, createdAt: clock() }).onConflictDoNothing()
}

/** Forgets what checks found a day ago. */
export async function deleteOldInspections({ db, clock }: Pick<RunDeps, 'db' | 'clock'>): Promise<void> {
  await db.delete(inspections).where(lt(inspections.createdAt, new Date(clock().getTime() - keptMilliseconds)))
}
