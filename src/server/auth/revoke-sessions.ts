import { and, eq, isNull } from 'drizzle-orm'
import type { Transaction } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { publish } from '#server/notify.ts'
import { sessions } from './table.ts'

export async function logout(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<void> {
  await transact(db, (tx) => revokeSessions(tx, { userId, sessionId, now: clock() }))
}

/** Notifies every process that holds a connection for that user. */
export async function revokeSessions(
  tx: Transaction,
  {
    userId,
    sessionId,
    elsewhere = false,
    now,
  }: {
    userId: string
    sessionId?: string
    /** The ended device may be lost, so it deletes the user's data. */
    elsewhere?: boolean
    now: Date
  },
): Promise<void> {
  await tx
    .update(sessions)
    .set({ revokedAt: now, signedOutElsewhere: elsewhere })
    .where(
      and(
        eq(sessions.userId, userId),
        isNull(sessions.revokedAt),
        sessionId === undefined ? undefined : eq(sessions.id, sessionId),
      ),
    )
  await publish(tx, { kind: 'session_revoked', userId })
}
