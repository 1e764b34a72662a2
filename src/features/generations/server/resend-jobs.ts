import { and, asc, inArray, lt } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import { openStatuses } from '../contract.ts'
import { generations } from './table.ts'

const batch = 500
/** A generation this young is still being sent by whoever created it. */
const graceMilliseconds = 2000

/** Sends a job for every open generation that has none, e.g. because a process died between the charge and the sending. */
export async function resendJobs({ db, jobs, clock, log }: Pick<Deps, 'db' | 'jobs' | 'clock' | 'log'>): Promise<void> {
  const open = await db
    .select({ id: generations.id })
    .from(generations)
    .where(
      and(
        inArray(generations.status, [...openStatuses]),
        lt(generations.createdAt, new Date(clock().getTime() - graceMilliseconds)),
      ),
    )
    .orderBy(asc(generations.id))
    .limit(batch)
  const missing = await jobs.missing(
    'run-generation',
    open.map(({ id }) => id),
  )
  for (const generationId of missing) await jobs.send('run-generation', { generationId })
  if (missing.length > 0) log.info({ count: missing.length }, 'jobs sent again')
}
