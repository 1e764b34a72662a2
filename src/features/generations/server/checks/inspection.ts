import { eq, lt } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import { AppError } from '#server/http/app-error.ts'
import { findTool, type Inspection } from '#tools/contract/tool.ts'
import { type Inspecting, inspectQueueOf } from '../queues.ts'
import type { AcceptedRun } from '../runs/accept-run.ts'
import { answerJob, awaitJob } from '../runs/await-job.ts'
import { contentHash } from '../runs/content-hash.ts'
import { engineJob } from '../runs/engine-job.ts'
import type { RunDeps } from '../runs/run-generation.ts'
import { inspections } from '../table.ts'

/** Seconds after which nobody waits for a check any longer. */
const inspectionSeconds = 30
const keptMilliseconds = 24 * 3_600_000

/**
 * What the free check of a run's inputs finds, found before or now; undefined for tools that have
 * none.
 */
export async function inspectionOf(
  deps: Pick<Deps, 'db' | 'jobs' | 'notifier'>,
  run: AcceptedRun,
): Promise<Inspection | undefined> {
  const { tool, params, files } = run
  if (!tool.inspects) return undefined
  const hash = contentHash(run, files)
  const known = await readInspection(deps, hash)
  if (known) return known
  const inputs = files.map(({ input, storageKey, contentType, width, height, seconds }) => {
    return { input, storageKey, contentType, width, height, seconds }
  })
  const job: Inspecting = { jobId: crypto.randomUUID(), tool: tool.id, params, contentHash: hash, inputs }
  await awaitJob(deps, inspectQueueOf(tool), job, inspectionSeconds + 15)
  return await readInspection(deps, hash)
}

async function readInspection({ db }: Pick<Deps, 'db'>, contentHash: string): Promise<Inspection | undefined> {
  const [row] = await db.select().from(inspections).where(eq(inspections.contentHash, contentHash))
  return row?.inspection
}

/** Does the work of a free check in the worker, and keeps what it finds. */
export function inspectInputs(deps: RunDeps, job: Inspecting, signal: AbortSignal) {
  return answerJob(deps, job, signal, async () => {
    const { contentHash, params, inputs: files } = job
    const tool = findTool(deps.tools, job.tool)
    if (!tool) throw new AppError('tool.unknown')
    const given = { tool, params, files, contentHash }
    const inspection = await engineJob(deps, inspectQueueOf(tool), given, { signal, seconds: inspectionSeconds })
    await deps.db.insert(inspections).values({ contentHash, inspection, createdAt: deps.clock() }).onConflictDoNothing()
  })
}

/** Forgets what checks found a day ago. */
export async function deleteOldInspections({ db, clock }: Pick<RunDeps, 'db' | 'clock'>): Promise<void> {
  await db.delete(inspections).where(lt(inspections.createdAt, new Date(clock().getTime() - keptMilliseconds)))
}
