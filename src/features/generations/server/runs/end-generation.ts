import { and, eq, inArray, sql } from 'drizzle-orm'
import type { ErrorCode } from '#contract/errors.ts'
import { credits } from '#features/credits/server/credits.ts'
import { push } from '#features/push/server/push.ts'
import type { Transaction } from '#server/db/database.ts'
import { publish } from '#server/notify.ts'
import { openStatuses } from '../../rules.ts'
import type { Generation } from '../history/views.ts'
import { generations } from '../table.ts'

/** Every change of a row gets the next number, for those who resume from the last one they saw. */
export const nextChange = sql`nextval('generation_changes')`

/**
 * Ends an open generation without a result and gives its credits back, both in this transaction;
 * undefined when it is no longer open, or is being run by a later attempt than `attempt`.
 */
export async function endGeneration(
  tx: Transaction,
  end: { id: string; status: 'failed' | 'cancelled'; errorCode: ErrorCode | null; now: Date; attempt?: number },
): Promise<Generation | undefined> {
  const { id, status, errorCode, now, attempt } = end
  const [generation] = await tx
    .update(generations)
    .set({ status, errorCode, finishedAt: now, change: nextChange })
    .where(
      and(
        eq(generations.id, id),
        inArray(generations.status, [...openStatuses]),
        attempt === undefined ? undefined : eq(generations.attempts, attempt),
      ),
    )
    .returning()
  if (!generation) return undefined
  const { userId, change } = generation
  await credits.refund(tx, { userId, generationId: id, now })
  await publish(tx, { kind: 'generation', userId, generationId: id, change })
  if (status === 'failed') await push.enqueue(tx, { kind: 'run_failed', userId, subjectId: id, now })
  return generation
}
