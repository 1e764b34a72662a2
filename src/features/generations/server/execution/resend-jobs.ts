import { and, asc, eq, gt, inArray, isNull, lt, lte, or } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import { addTime } from '#shared/time.ts'
import { openStatuses } from '../../rules.ts'
import { generationQueues, sendOptions } from '../queues.ts'
import { generations } from '../table.ts'

const batch = 500
/** Grace period: the request that created so young a generation is still sending its job. */
const graceSeconds = 2

/**
 * Sends a job for every open generation without one: a process died between charging and sending,
 * or a provider must be polled again.
 */
export async function resendJobs({ db, jobs, clock, log }: Pick<Deps, 'db' | 'jobs' | 'clock' | 'log'>): Promise<void> {
  const now = clock()
  const open = await db
    .select({ id: generations.id, queue: generations.queue, userId: generations.userId, turn: generations.turn })
    .from(generations)
    .where(
      and(
        inArray(generations.status, [...openStatuses]),
        lt(generations.createdAt, addTime(now, { seconds: -graceSeconds })),
        or(isNull(generations.waitUntil), lte(generations.waitUntil, now)),
      ),
    )
    .orderBy(asc(generations.id))
    .limit(batch)
  for (const queue of generationQueues) {
    const count = await jobs.sendAll(
      queue,
      open
        .filter((generation) => generation.queue === queue)
        .map((generation) => ({ data: { generationId: generation.id }, options: sendOptions(generation) })),
    )
    if (count > 0) log.info({ count, queue }, 're-sent jobs')
  }
}

export async function wakeGeneration(
  { db, jobs, clock }: Pick<Deps, 'db' | 'jobs' | 'clock'>,
  generationId: string,
): Promise<void> {
  const now = clock()
  const [generation] = await db
    .update(generations)
    .set({ waitUntil: now })
    .where(
      and(
        eq(generations.id, generationId),
        inArray(generations.status, [...openStatuses]),
        gt(generations.waitUntil, now),
      ),
    )
    .returning()
  if (generation) await jobs.send(generation.queue, { generationId }, sendOptions(generation))
}
