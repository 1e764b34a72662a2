import { and, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import { credits } from '#features/credits/server/credits.ts'
import { push } from '#features/push/server/push.ts'
import { webhooks } from '#features/webhooks/server/webhooks.ts'
import type { Transaction } from '#server/db/database.ts'
import { notificationOf } from '#server/notify.ts'
import type { ErrorCode } from '#shared/errors.ts'
import { openStatuses } from '../../rules.ts'
import type { Generation } from '../history/views.ts'
import { generations } from '../table.ts'

/** Numbers every change, so that clients can resume from the last one they saw. */
export const nextChange = sql`nextval('generation_changes')`
/**
 * Every statement that changes generations returns these columns; selecting them notifies all
 * listeners.
 */
export const rowsWithNotification = { ...getTableColumns(generations), notified: notificationOf(generations) }

/**
 * Ends and refunds in this transaction. Returns undefined if the generation is not open any more,
 * or a later attempt than `attempt` runs it.
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
    .returning(rowsWithNotification)
  if (!generation) return undefined
  const { userId } = generation
  await credits.refund(tx, { userId, generationId: id, now })
  if (status === 'failed') await push.enqueue(tx, { kind: 'run_failed', userId, subjectId: id, now })
  await webhooks.enqueue(tx, { kind: `generation.${status}`, userId, subjectId: id, now })
  return generation
}
