import { and, arrayContains, eq, notExists } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { Transaction } from '#server/db/database.ts'
import { publish } from '#server/notify.ts'
import { type PushKind, pushKinds } from '../rules.ts'
import { firstSweepAt } from './retry.ts'
import { pushOutbox, pushSettings, pushSubscriptions } from './table.ts'

/** Skips muted topics. The commit of the transaction notifies the workers (work-push.ts). */
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
  const owed = devices.map(({ id }) => ({
    ...{ id: uuid(), subscriptionId: id, kind, subjectId, createdAt: now },
    nextAttemptAt: firstSweepAt(now),
  }))
  await tx.insert(pushOutbox).values(owed)
  await publish(tx, ...owed.map(({ id }) => ({ kind: 'push_owed' as const, pushId: id })))
}
