import { lt } from 'drizzle-orm'
import { AppError } from '#server/http/app-error.ts'
import type { Jobs } from '#server/jobs/queue.ts'
import { findTool } from '#tools/contract/tool.ts'
import { withEngineInputs } from '../runs/engine-files.ts'
import { runAwaited } from '../runs/run-awaited.ts'
import type { RunDeps } from '../runs/run-generation.ts'
import { inspections } from '../table.ts'
import { inspectionSeconds } from './inspection-of.ts'

const keptMilliseconds = 24 * 3_600_000

/** Does the work of a free check in the worker, and keeps what it finds. */
export function inspectInputs(deps: RunDeps, job: Jobs['inspect-inputs'], signal: AbortSignal): Promise<void> {
  const { jobId, tool } = job
  return runAwaited(deps, { jobId, name: 'check', about: { tool } }, signal, () => inspect(deps, job, signal))
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
