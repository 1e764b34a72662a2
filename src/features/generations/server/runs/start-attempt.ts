import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { openStatuses } from '../../rules.ts'
import type { Generation } from '../history/views.ts'
import { generations } from '../table.ts'
import { endGeneration, nextChange, toldRows } from './end-generation.ts'

/**
 * A generation is tried this often; after that whatever kills its workers has won, and the credits
 * go back.
 */
export const maxAttempts = 3

/**
 * Takes an open generation for one attempt; the attempt's number keeps an earlier worker, should it
 * still be alive, from writing. Undefined when there is nothing (more) to run.
 */
export async function startAttempt(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  id: string,
): Promise<Generation | undefined> {
  const now = clock()
  const [row] = await db
    .update(generations)
    .set({
      // Whoever only waited for providers goes on where it was.
      status: sql`case when ${generations.waitUntil} is null or ${generations.status} = 'queued' then 'detecting' else ${generations.status} end`,
      progress: sql`case when ${generations.waitUntil} is null then 0 else ${generations.progress} end`,
      waitUntil: null,
      attempts: sql`${generations.attempts} + 1`,
      startedAt: now,
      change: nextChange,
    })
    .where(
      and(
        eq(generations.id, id),
        inArray(generations.status, [...openStatuses]),
        lt(generations.attempts, maxAttempts),
      ),
    )
    .returning(toldRows)
  if (row) return row
  const spent = { id, status: 'failed', errorCode: 'engine.crashed', now, attempt: maxAttempts } as const
  await transact(db, (tx) => endGeneration(tx, spent))
  return undefined
}

/**
 * Puts an attempt back into the queue; one that was only interrupted does not count. With
 * `waitUntil` its job is over, and `resendJobs` brings it back then.
 */
export async function requeue(
  { db }: Pick<Deps, 'db'>,
  { id, attempts }: Pick<Generation, 'id' | 'attempts'>,
  { counts, waitUntil = null }: { counts: boolean; waitUntil?: Date | null },
): Promise<void> {
  await db
    .update(generations)
    .set({ status: 'queued', progress: 0, attempts: counts ? attempts : attempts - 1, waitUntil, change: nextChange })
    .where(isCurrentAttempt({ id, attempts }))
    .returning({ told: toldRows.told })
}

/**
 * Lets an attempt rest until its providers are to be asked again; it does not count, and keeps no
 * thread and no job. `resendJobs` brings it back.
 */
export async function rest(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { id, attempts }: Pick<Generation, 'id' | 'attempts'>,
  { seconds, progress }: { seconds: number; progress: number },
): Promise<void> {
  const waitUntil = new Date(clock().getTime() + 1000 * seconds)
  await db
    .update(generations)
    .set({ status: 'generating', progress, waitUntil, attempts: attempts - 1, change: nextChange })
    .where(isCurrentAttempt({ id, attempts }))
    .returning({ told: toldRows.told })
}

/** Condition: still open, and no later attempt has begun. */
export function isCurrentAttempt({ id, attempts }: Pick<Generation, 'id' | 'attempts'>) {
  return and(eq(generations.id, id), inArray(generations.status, [...openStatuses]), eq(generations.attempts, attempts))
}
