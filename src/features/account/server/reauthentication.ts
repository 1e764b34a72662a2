import { eq } from 'drizzle-orm'
import type { Context } from 'hono'
import { securityLog } from '#server/audit/audit.ts'
import { passwordMatches } from '#server/auth/password-hash.ts'
import { users } from '#server/auth/table.ts'
import type { Transaction } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'
import { AppError, appError } from '#server/http/app-error.ts'
import type { UserEnv } from '#server/http/env.ts'
import { limitRate, resetRateLimit } from '#server/http/rate-limit.ts'
import { spendAccountToken } from './account-token.ts'
import { reauthenticationRules } from './rate-rules.ts'
import { readDevice } from './sessions/known-device.ts'
import { withCodeLimit } from './sign-in/login.ts'

export interface Credentials {
  password?: string | undefined
  /** Token from a provider's window, for accounts without a password. */
  confirmation?: string | undefined
}

interface Reauthenticated {
  user: typeof users.$inferSelect
  /**
   * Call this in the transaction of the action: a confirmation counts once, a password only while
   * it is unchanged.
   */
  confirm(tx: Transaction): Promise<void>
}

export async function reauthenticate(
  { db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>,
  userId: string,
  credentials: Credentials,
): Promise<Reauthenticated> {
  const [user] = await db.select().from(users).where(eq(users.id, userId))
  if (!user || user.deletedAt) throw appError('auth.expired')
  const { password, confirmation } = credentials
  if (password === undefined && confirmation === undefined) {
    throw appError('form.invalid', { details: { password: 'password.required' } })
  }
  if (password !== undefined && !(await passwordMatches({ config }, password, user.passwordHash, userId))) {
    throw appError('auth.wrong_password')
  }
  return {
    user,
    async confirm(tx) {
      if (password !== undefined) {
        const [now] = await tx
          .select({ passwordHash: users.passwordHash })
          .from(users)
          .where(eq(users.id, userId))
          .for('update')
        if (now?.passwordHash !== user.passwordHash) throw appError('auth.wrong_password')
        return
      }
      const spent = await spendAccountToken(tx, { token: confirmation ?? '', purpose: 'confirm', now: clock() })
      // The rollback restores the token, so that another user's confirmation is not used up.
      if (spent?.userId !== userId) throw appError('auth.confirmation_invalid')
    },
  }
}

const reauthenticationFailures = [
  'auth.wrong_password',
  'auth.confirmation_invalid',
  'second_factor.wrong_code',
  'passkey.refused',
] as const
/** Of a route that uses `withReauthentication`. */
export const reauthenticationErrors = [
  ...reauthenticationFailures,
  'second_factor.proof_due',
  'request.rate_limited',
] as const

export interface Caller {
  user: { id: string }
  sessionId: string
  address: string
  device: string | undefined
}

export function callerOf(c: Context<UserEnv>, { config }: Pick<Deps, 'config'>): Caller {
  const { user, sessionId, address } = c.var
  return { user, sessionId, address, device: readDevice(c, config) }
}

/**
 * Limits attempts; the right password resets the count, failures go to the security log. `code` is
 * true if a second factor's code is shown.
 */
export async function withReauthentication<Result>(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  { user, sessionId, address, device }: Caller,
  { code }: { code?: string | undefined },
  work: () => Promise<Result>,
): Promise<Result> {
  const userId = user.id
  const rules = reauthenticationRules(address, userId)
  await limitRate(deps, rules)
  const attempt = async () => {
    try {
      return await work()
    } catch (error) {
      if (error instanceof AppError && reauthenticationFailures.some((wrong) => wrong === error.code)) {
        await securityLog.note(deps, { kind: 'proof_failed', userId, sessionId, address, detail: error.code })
      }
      throw error
    }
  }
  const result = await (code === undefined ? attempt() : withCodeLimit(deps, { userId, address, device }, attempt))
  await resetRateLimit(deps, rules)
  return result
}
