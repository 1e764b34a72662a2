import { and, desc, eq, gt, isNull, sql } from 'drizzle-orm'
import { deviceName, isIdle, openSession, revokeSessions } from '#server/auth/sessions.ts'
import { sessions } from '#server/auth/table.ts'
import type { Transaction } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import type { AuthUser } from '#shared/session.ts'
import type { SessionView } from '../../schemas.ts'
import { type Credentials, reauthenticate } from '../reauthentication.ts'

type Tools = Pick<Deps, 'db' | 'clock' | 'config'>

const isOpenSession = (userId: string, now: Date) =>
  and(eq(sessions.userId, userId), isNull(sessions.revokedAt), gt(sessions.expiresAt, now))

/** Latest first. */
export async function listSessions(
  { db, clock, config }: Tools,
  { user, sessionId }: { user: AuthUser; sessionId: string },
): Promise<SessionView[]> {
  const seen = sql<Date>`coalesce(${sessions.lastSeenAt}, ${sessions.createdAt})`
  const now = clock()
  const found = await db.select().from(sessions).where(isOpenSession(user.id, now)).orderBy(desc(seen)).limit(100)
  const alive = found.filter((session) => !isIdle({ ...session, role: user.role }, now, config))
  return alive.map(({ id, userAgent, createdAt, lastSeenAt }) => ({
    id,
    current: id === sessionId,
    device: deviceName(userAgent),
    createdAt: createdAt.toISOString(),
    lastSeenAt: (lastSeenAt ?? createdAt).toISOString(),
  }))
}

export async function endSession(
  deps: Tools,
  { userId, sessionId, credentials }: { userId: string; sessionId: string; credentials: Credentials },
): Promise<void> {
  const reauthenticated = await reauthenticate(deps, userId, credentials)
  const now = deps.clock()
  await transact(deps.db, async (tx) => {
    await reauthenticated.confirm(tx)
    const [found] = await tx
      .select({ id: sessions.id })
      .from(sessions)
      .where(and(isOpenSession(userId, now), eq(sessions.id, sessionId)))
    if (!found) throw appError('session.not_found')
    await revokeSessions(tx, { userId, sessionId, elsewhere: true, now })
  })
}

/** Returns a new token for the calling session. */
export async function endOtherSessions(
  deps: Tools,
  { credentials, ...current }: { user: AuthUser; sessionId: string; credentials: Credentials },
): Promise<string> {
  const reauthenticated = await reauthenticate(deps, current.user.id, credentials)
  return await transact(deps.db, async (tx) => {
    await reauthenticated.confirm(tx)
    return await rotateSession(tx, deps.config, { ...current, elsewhere: true, now: deps.clock() })
  })
}

/** Returns the new session's token. */
export async function rotateSession(
  tx: Transaction,
  config: Deps['config'],
  {
    user,
    sessionId,
    secondFactor,
    elsewhere,
    now,
  }: { user: AuthUser; sessionId: string; secondFactor?: true; elsewhere?: true; now: Date },
): Promise<string> {
  const [old] = await tx
    .select({
      remember: sessions.remember,
      userAgent: sessions.userAgent,
      secondFactorAt: sessions.secondFactorAt,
    })
    .from(sessions)
    .where(and(isOpenSession(user.id, now), eq(sessions.id, sessionId)))
    .for('update')
  if (!old) throw appError('auth.expired')
  await revokeSessions(tx, { userId: user.id, ...(elsewhere && { elsewhere }), now })
  const { remember, userAgent, secondFactorAt } = old
  const shown = secondFactor ?? secondFactorAt !== null
  return (await openSession(tx, config, { user, remember, userAgent, secondFactor: shown, now })).token
}
