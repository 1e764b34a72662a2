import { and, desc, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Transaction } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import type { AuthUser, SessionView } from '../contract.ts'
import { deviceName } from './device-name.ts'
import { revokeSessions } from './logout.ts'
import { openSession } from './open-session.ts'
import { sessions, users } from './table.ts'

type Tools = Pick<Deps, 'db' | 'clock'>

const living = (userId: string, now: Date) =>
  and(eq(sessions.userId, userId), isNull(sessions.revokedAt), gt(sessions.expiresAt, now))

/** The sessions that could still be used, the latest first. */
export async function listSessions(
  { db, clock }: Tools,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<SessionView[]> {
  const seen = sql<Date>`coalesce(${sessions.lastSeenAt}, ${sessions.createdAt})`
  const found = await db.select().from(sessions).where(living(userId, clock())).orderBy(desc(seen)).limit(100)
  return found.map(({ id, userAgent, createdAt, lastSeenAt }) => ({
    id,
    current: id === sessionId,
    device: deviceName(userAgent),
    createdAt: createdAt.toISOString(),
    lastSeenAt: (lastSeenAt ?? createdAt).toISOString(),
  }))
}

/** Whether a session can still be used, for connections that outlive a request. */
export async function isSessionAlive({ db, clock }: Tools, sessionId: string): Promise<boolean> {
  const found = await db
    .select({ id: sessions.id })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(
        eq(sessions.id, sessionId),
        isNull(sessions.revokedAt),
        gt(sessions.expiresAt, clock()),
        isNull(users.disabledAt),
      ),
    )
  return found.length > 0
}

/** Ends one of a user's sessions, wherever it is used. */
export async function endSession(
  { db, clock }: Tools,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<void> {
  const now = clock()
  await transact(db, async (tx) => {
    const [found] = await tx
      .select({ id: sessions.id })
      .from(sessions)
      .where(and(living(userId, now), eq(sessions.id, sessionId)))
    if (!found) throw appError('session.not_found')
    await revokeSessions(tx, { userId, sessionId, now })
  })
}

/** Ends every session; the one that asks goes on under a new token, which is answered. */
export async function signOutEverywhere(
  { db, clock, config }: Tools & Pick<Deps, 'config'>,
  current: { user: AuthUser; sessionId: string },
): Promise<string> {
  return await transact(db, (tx) => rotateSession(tx, config, { ...current, now: clock() }))
}

/** Ends all sessions of a user and opens one in the place of the current one; answers its token. */
export async function rotateSession(
  tx: Transaction,
  config: Deps['config'],
  { user, sessionId, now }: { user: AuthUser; sessionId: string; now: Date },
): Promise<string> {
  const [old] = await tx
    .select({ remember: sessions.remember, userAgent: sessions.userAgent })
    .from(sessions)
    .where(and(living(user.id, now), eq(sessions.id, sessionId)))
    .for('update')
  if (!old) throw appError('auth.expired')
  await revokeSessions(tx, { userId: user.id, now })
  return (await openSession(tx, config, { user, ...old, now })).token
}
