import { and, arrayContains, eq, notExists } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { Transaction } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'
import { outboxTimes, wakesSender } from '#server/outbox.ts'
import type { Language } from '#shared/language.ts'
import { type PushKind, pushKinds } from '../rules.ts'
import { pushOutbox, pushQueue, pushSettings, pushSubscriptions } from './table.ts'

export type PushDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'tools'>

export interface QueuedPush {
  userId: string
  subjectId: string | null
  language: Language
}

/** The sentences are `push.<kind>.title`, `.text` and, for several at once, `.group`. */
export interface PushDefinition {
  /**
   * Target of a tap and the values of the sentences; null when the message has become pointless.
   */
  content(
    deps: PushDeps,
    pending: QueuedPush,
  ): Promise<{ path: string; groupPath: string; values?: Record<string, string | number> } | null>
}

export type PushDefinitions = Record<PushKind, PushDefinition>

/** Skips muted topics. */
async function enqueue(
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
  const pending = devices.map(({ id }) => ({ id: uuid(), subscriptionId: id, kind, subjectId, ...outboxTimes(now) }))
  await tx.insert(pushOutbox).values(pending).returning(wakesSender(pushQueue))
}

export const push = { enqueue }
