import { and, arrayContains, eq, notExists } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { Transaction } from '#server/db/database.ts'
import { outboxTimes, wakesSender } from '#server/outbox.ts'
import { type PushKind, pushKinds } from '../rules.ts'
import { pushOutbox, pushQueue, pushSettings, pushSubscriptions } from './table.ts'

/** Skips muted topics. */
export async function enqueuePush(
  tx: Transaction,
  { kind, userId, subjectId, now }: { kind: PushKind; userId: string; subjectId?: string; now: Date },
): Promise<void> {
  const muted = tx
    .select()
    .from(pushSettings)
    .where(and(eq(pushSettings.userId, userId), arrayContains(pushSettings.muted, [pushKinds[kind]])))
  const devices = await tx
    .select({ id: pushSubscriptions.id })
    .from(pushSubscriptions)
    .where(and(eq(pushSubscriptions.userId, userId), notExists(muted)))
  if (devices.length === 0) return
  const owed = devices.map(({ id }) => ({ id: uuid(), subscriptionId: id, kind, subjectId, ...outboxTimes(now) }))
  await tx.insert(pushOutbox).values(owed).returning(wakesSender(pushQueue))
}
