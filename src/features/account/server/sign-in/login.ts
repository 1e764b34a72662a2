import { eq } from 'drizzle-orm'
import { securityLog } from '#server/audit/audit.ts'
import { requiredFactors } from '#server/auth/factors.ts'
import { openSession } from '#server/auth/open-session.ts'
import { passwordMatches } from '#server/auth/password-hash.ts'
import { users } from '#server/auth/table.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { AppError, appError } from '#server/http/app-error.ts'
import type { Factor } from '#shared/session.ts'
import type { loginInput } from '../../schemas.ts'
import { makeAccountToken } from '../account-token.ts'
import { rememberDevice } from '../sessions/known-device.ts'

type Tools = Pick<Deps, 'db' | 'clock' | 'config'>

export type SignInMethod =
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
