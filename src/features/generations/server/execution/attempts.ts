import { and, eq, inArray, lt, type SQL, sql } from 'drizzle-orm'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { addTime } from '#shared/time.ts'
import { openStatuses } from '../../rules.ts'
import type { Generation } from '../history/views.ts'
import { generations } from '../table.ts'
import { endGeneration, nextChange, rowsWithNotification } from './end-generation.ts'

/** A generation with more attempts fails and is refunded: its input may crash workers. */
export const maxAttempts = 3

/**
 * Starts an attempt; its number prevents an earlier worker that is still alive from writing.
 * Returns undefined when nothing is left to run.
 */
export async function startAttempt(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  id: string,
): Promise<Generation | undefined> {
  const now = clock()
  const [row] = await db
    .update(generations)
    .set({
      // A generation that only waited for providers keeps its phase.
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
    .returning(rowsWithNotification)
  if (row) return row
  const spent = { id, status: 'failed', errorCode: 'engine.crashed', now, attempt: maxAttempts } as const
  await transact(db, (tx) => endGeneration(tx, spent))
  return undefined
}

/**
 * Puts an attempt back into the queue; an interrupted one does not count. With `waitUntil` the job
 * ends, and `resendJobs` sends a new one at that time.
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
    .returning({ notified: rowsWithNotification.notified })
}

/**
 * Suspends an attempt without a thread or a job until `resendJobs` polls its providers again. The
 * attempt does not count.
 */
export async function suspendAttempt(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { id, attempts }: Pick<Generation, 'id' | 'attempts'>,
  { seconds, progress }: { seconds: number; progress: number },
): Promise<void> {
  const waitUntil = addTime(clock(), { seconds })
  await db
    .update(generations)
    .set({ status: 'generating', progress, waitUntil, attempts: attempts - 1, change: nextChange })
    .where(isCurrentAttempt({ id, attempts }))
    .returning({ notified: rowsWithNotification.notified })
}

/** Condition: the generation is open, and no later attempt has begun. */
export function isCurrentAttempt({ id, attempts }: Pick<Generation, 'id' | 'attempts'>) {
  return and(eq(generations.id, id), inArray(generations.status, [...openStatuses]), eq(generations.attempts, attempts))
}

type Phase = 'detecting' | 'generating'

const minMilliseconds = 500

type ReportDeps = Pick<Deps, 'db' | 'log'>

/** Writes a new phase at once, fractions at intervals, never two writes at a time. */
export function progressReporter(deps: ReportDeps, generation: Pick<Generation, 'id' | 'attempts'>) {
  return reporter(deps, generation, isCurrentAttempt(generation), (status, progress) => ({ status, progress }))
}

/**
 * Reports a rendering. The generation stays `succeeded`; its outputs are complete at progress 1.
 */
export function rerenderReporter(deps: ReportDeps, generation: Pick<Generation, 'id'>) {
  const rendered = and(eq(generations.id, generation.id), eq(generations.status, 'succeeded'))
  return reporter(deps, generation, rendered, (_, progress) => ({ progress: Math.min(progress, 0.99) }))
}

function reporter(
  { db, log }: ReportDeps,
  generation: Pick<Generation, 'id'>,
  where: SQL | undefined,
  change: (phase: Phase, progress: number) => Partial<Generation>,
) {
  let shown: Phase = 'detecting'
  let due = 0
  let writing: Promise<void> = Promise.resolve()
  let busy = false

  const write = async (phase: Phase, progress: number) => {
    busy = true
    try {
      // No transaction, since this is the most frequent write of a generation.
      await db
        .update(generations)
        .set({ ...change(phase, progress), change: nextChange })
        .where(where)
        .returning({ notified: rowsWithNotification.notified })
    } catch (error) {
      // Progress affects no credits, so the generation continues.
      log.warn({ err: error, generationId: generation.id }, 'could not save progress')
    } finally {
      busy = false
    }
  }

  return {
    report(phase: Phase, fraction: number) {
      const now = performance.now()
      if (busy || (phase === shown && now < due)) return
      shown = phase
      due = now + minMilliseconds
      writing = write(phase, Math.min(1, Math.max(0, fraction)))
    },
    settled: () => writing,
  }
}
