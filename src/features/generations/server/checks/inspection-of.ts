import { eq } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import type { Inspection } from '#tools/contract/tool.ts'
import type { AcceptedRun } from '../runs/accept-run.ts'
import { awaitJob } from '../runs/await-job.ts'
import { contentHash } from '../runs/content-hash.ts'
import { inspections } from '../table.ts'

/** Seconds after which nobody waits for a check any longer. */
export const inspectionSeconds = 30

/**
 * What the free check of a run's inputs finds, found before or now; undefined for tools that have
 * none.
 */
export async function inspectionOf(
  deps: Pick<Deps, 'db' | 'jobs' | 'notifier'>,
  run: AcceptedRun,
): Promise<Inspection | undefined> {
  const { tool, params, files: given } = run
  if (!tool.inspects) return undefined
  const hash = contentHash(run, given)
  const known = await readInspection(deps, hash)
  if (known) return known
  const jobId = crypto.randomUUID()
  const inputs = given.map(({ input, storageKey, contentType, width, height, seconds }) => {
    return { input, storageKey, contentType, width, height, seconds }
  })
  const job = { jobId, tool: tool.id, params, contentHash: hash, inputs }
  await awaitJob(deps, jobId, inspectionSeconds + 15, () =>
    deps.jobs.send('inspect-inputs', job, { singletonKey: jobId }),
  )
  return await readInspection(deps, hash)
}

async function readInspection({ db }: Pick<Deps, 'db'>, contentHash: string): Promise<Inspection | undefined> {
  const [row] = await db.select().from(inspections).where(eq(inspections.contentHash, contentHash))
  return row?.inspection
}
