import Bowser from 'bowser'
import { and, eq, gt, isNull } from 'drizzle-orm'
import { errors, jwtVerify, SignJWT } from 'jose'
import { validate as isUuid, v4 as uuid } from 'uuid'
import type { Config } from '#server/config.ts'
import type { Executor, Transaction } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { publish } from '#server/notify.ts'
import type { Role } from '#shared/roles.ts'
import type { AuthUser, RequiredAction, TokenClaims } from '#shared/session.ts'
import { addTime, dayMs, hourMs } from '#shared/time.ts'
import { tokenClaims } from './factors.ts'
import { sessions, users } from './table.ts'

const hours = { remembered: 30 * 24, brief: 12 }

interface SessionStart {
  user: AuthUser
  /** True for 30 days instead of 12 hours. */
  remember: boolean
  userAgent: string | null | undefined
  secondFactor: boolean
  now: Date
}

export async function openSession(
  executor: Executor,
  config: Pick<Config, 'jwtSecret' | 'staffSecondFactor'>,
  { user: { id: userId, name, email, role }, remember, userAgent, secondFactor, now }: SessionStart,
): Promise<{ sessionId: string; token: string }> {
  const session = {
    id: uuid(),
    createdAt: now,
    expiresAt: addTime(now, { hours: remember ? hours.remembered : hours.brief }),
  }
  await executor.insert(sessions).values({
    ...session,
    userId,
    remember,
    userAgent: userAgent?.slice(0, 300) ?? null,
    lastSeenAt: now,
    secondFactorAt: secondFactor ? now : null,
  })
  const { due, ...limits } = await tokenClaims(executor, config, { userId, secondFactor })
  const token = await issueAccessToken(config, { ...session, user: { id: userId, name, email, role, ...limits }, due })
  return { sessionId: session.id, token }
}

type Secret = Pick<Config, 'jwtSecret' | 'previousJwtSecret'>

/** JWT, HS256. Its `sub` is an object with the user and their role. */
export async function issueAccessToken(
  { jwtSecret }: Secret,
  session: { id: string; user: AuthUser; due: RequiredAction | undefined; createdAt: Date; expiresAt: Date },
): Promise<string> {
  // The JWT library's types require a string for `sub`.
  const { due } = session
  const claims = { sub: session.user, sid: session.id, ...(due && { due }) } as unknown as Record<string, never>
  return await new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuedAt(session.createdAt)
    .setExpirationTime(session.expiresAt)
    .sign(jwtSecret)
}

/** Throws `auth.expired`, or `auth.required` for tokens that this server did not issue. */
export async function readAccessToken(
  { jwtSecret, previousJwtSecret }: Secret,
  token: string,
  now: Date,
): Promise<TokenClaims['sid']> {
  const verify = (key: Uint8Array) => jwtVerify(token, key, { algorithms: ['HS256'], currentDate: now })
  try {
    const { payload } = await verify(jwtSecret).catch((error: unknown) => {
      if (previousJwtSecret && error instanceof errors.JWSSignatureVerificationFailed) return verify(previousJwtSecret)
      throw error
    })
    const { sid } = payload
    if (typeof sid === 'string' && isUuid(sid)) return sid
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw appError('auth.expired')
    if (!(error instanceof errors.JOSEError)) throw error
  }
  throw appError('auth.required')
}

/** Limits the risk of an unlocked device to about the length of a meeting. */
const staffIdleMilliseconds = 2 * hourMs

export function isIdle(
  { role, createdAt, lastSeenAt }: { role: Role; createdAt: Date; lastSeenAt: Date | null },
  now: Date,
  { sessionIdleDays }: Pick<Config, 'sessionIdleDays'>,
): boolean {
  const maxIdleMilliseconds = role === 'user' ? sessionIdleDays * dayMs : staffIdleMilliseconds
  return now.getTime() - (lastSeenAt ?? createdAt).getTime() > maxIdleMilliseconds
}

/** For connections that outlive a request. */
export async function isSessionAlive(
  { db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>,
  sessionId: string,
): Promise<boolean> {
  const now = clock()
  const [found] = await db
    .select({ role: users.role, createdAt: sessions.createdAt, lastSeenAt: sessions.lastSeenAt })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(
        eq(sessions.id, sessionId),
        isNull(sessions.revokedAt),
        gt(sessions.expiresAt, now),
        isNull(users.disabledAt),
      ),
    )
  return found !== undefined && !isIdle(found, now, config)
}

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

/** Such as `Chrome, Android`; null if the User-Agent names neither. */
export function deviceName(userAgent: string | null): string | null {
  if (!userAgent) return null
  const { browser, os } = Bowser.parse(userAgent)
  return [browser.name, os.name].filter(Boolean).join(', ') || null
}
