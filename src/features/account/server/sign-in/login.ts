import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { securityLog } from '#server/audit/audit.ts'
import { requiredFactors } from '#server/auth/factors.ts'
import { passwordMatches } from '#server/auth/password-hash.ts'
import { openSession } from '#server/auth/sessions.ts'
import { totpSecrets, users } from '#server/auth/table.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { AppError, appError } from '#server/http/app-error.ts'
import { limitRate, undoRateHits } from '#server/http/rate-limit.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import type { Factor } from '#shared/session.ts'
import type { loginInput } from '../../schemas.ts'
import { makeAccountToken, readAccountToken, spendAccountToken } from '../account-token.ts'
import { codeRules } from '../rate-rules.ts'
import { spendCode } from '../second-factor/one-time-codes.ts'
import { knownDeviceOf, rememberDevice } from '../sessions/known-device.ts'

type Tools = Pick<Deps, 'db' | 'clock' | 'config'>

type SignInMethod =
  | 'password'
  | 'google'
  | 'facebook'
  | 'passkey'
  | 'link'
  | 'verification_code'
  | 'code'
  | 'recovery_code'

export interface SignInContext {
  userAgent: string | undefined
  address: string
  device: string
}

/**
 * A token; or, if a second factor is required, its kinds and a challenge: codes go to
 * /api/login_code, passkeys to /api/login_passkey.
 */
export type SignInOutcome =
  | { token: string; challenge?: undefined }
  | { token?: undefined; challenge: string; factors: Factor[] }

/** Only a client with the right password learns that an account is unverified or disabled. */
export async function login(
  deps: Tools,
  { email, password, remember }: typeof loginInput.infer,
  place: SignInContext,
): Promise<SignInOutcome> {
  const [user] = await deps.db.select().from(users).where(eq(users.email, email))
  return await logFailedSignIn(deps, user?.id ?? null, place, async () => {
    if (!(await passwordMatches(deps, password, user?.passwordHash, place.address)) || !user)
      throw appError('auth.invalid_credentials')
    return await signIn(deps, user, { method: 'password', remember, place })
  })
}

export async function signIn(
  { db, clock, config }: Tools,
  user: typeof users.$inferSelect,
  { method, remember, place }: { method: SignInMethod; remember: boolean; place: SignInContext },
): Promise<SignInOutcome> {
  requireSignInAllowed(user)
  const now = clock()
  const secondFactor = method === 'passkey' || method === 'code' || method === 'recovery_code'
  const factors = secondFactor ? [] : await requiredFactors(db, config, user)
  if (factors.length > 0) {
    const challenge = await makeAccountToken(db, { userId: user.id, purpose: 'second_factor', remember, now })
    return { challenge, factors }
  }
  const { userAgent, device, address } = place
  return await transact(db, async (tx) => {
    const { sessionId, token } = await openSession(tx, config, { user, remember, userAgent, secondFactor, now })
    await securityLog.note({ db: tx, clock }, { kind: 'sign_in', userId: user.id, sessionId, address, detail: method })
    await rememberDevice(tx, { userId: user.id, sessionId, device, now })
    return { token }
  })
}

export function requireSignInAllowed(user: Pick<typeof users.$inferSelect, 'disabledAt' | 'emailVerifiedAt'>): void {
  if (user.disabledAt) throw appError('auth.disabled')
  if (!user.emailVerifiedAt) throw appError('auth.email_unverified')
}

/** The work is the same for known and unknown addresses. */
export async function logFailedSignIn<Result>(
  deps: Pick<Deps, 'db' | 'clock'>,
  userId: string | null,
  { address }: Pick<SignInContext, 'address'>,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError && error.status < 500) {
      await securityLog.note(deps, { kind: 'sign_in_failed', userId, address, detail: error.code })
    }
    throw error
  }
}

/** The user gets a notice after each ten wrong codes. */
const noticeAfter = 10

/** Right codes do not count. */
export async function withCodeLimit<Result>(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  { userId, address, device }: { userId: string; address: string; device: string | undefined },
  work: () => Promise<Result>,
): Promise<Result> {
  const rules = codeRules(address, userId, await knownDeviceOf(deps.db, userId, device))
  await limitRate(deps, rules)
  try {
    const result = await work()
    await undoRateHits(deps, rules)
    return result
  } catch (error) {
    if (error instanceof AppError && error.code === 'second_factor.wrong_code') await noteWrongCode(deps, userId)
    throw error
  }
}

async function noteWrongCode({ db, clock }: Pick<Deps, 'db' | 'clock'>, userId: string): Promise<void> {
  await transact(db, async (tx) => {
    const [counted] = await tx
      .update(totpSecrets)
      .set({ wrongCodes: sql`(${totpSecrets.wrongCodes} + 1) % ${noticeAfter}::int` })
      .where(and(eq(totpSecrets.userId, userId), isNotNull(totpSecrets.confirmedAt)))
      .returning({ sinceNotice: totpSecrets.wrongCodes })
    if (counted?.sinceNotice === 0) await enqueueMail(tx, { template: 'wrong_codes', userId, now: clock() })
  })
}

/** A wrong code leaves the challenge valid for another try. */
export async function loginWithCode(
  deps: Tools,
  { challenge, code }: { challenge: string; code: string },
  place: SignInContext,
): Promise<SignInOutcome> {
  const now = deps.clock()
  const asked = { token: challenge, purpose: 'second_factor', now } as const
  const known = await readAccountToken(deps.db, asked)
  if (!known) throw appError('second_factor.challenge_expired')
  const { userId } = known
  const enter = async () => {
    const { user, remember } = await transact(deps.db, async (tx) => {
      const spent = await spendAccountToken(tx, asked)
      if (!spent) throw appError('second_factor.challenge_expired')
      // The rollback restores the challenge.
      if (!(await spendCode(tx, deps.config, { userId, code, now }))) throw appError('second_factor.wrong_code')
      const [user] = await tx.select().from(users).where(eq(users.id, userId))
      if (!user) throw appError('second_factor.challenge_expired')
      return { user, remember: spent.remember ?? false }
    })
    const method = /^[\d\s]+$/.test(code) ? 'code' : 'recovery_code'
    return await signIn(deps, user, { method, remember, place })
  }
  return await withCodeLimit(deps, { ...place, userId }, () => logFailedSignIn(deps, userId, place, enter))
}
