import type { Context } from 'hono'
import { securityLog } from '#server/audit/audit.ts'
import type { Deps } from '#server/deps.ts'
import { AppError } from '#server/http/app-error.ts'
import type { UserEnv } from '#server/http/env.ts'
import { limitRate, resetRateLimit } from '#server/http/rate-limit.ts'
import { reauthenticationRules } from '../rate-rules.ts'
import { withCodeLimit } from '../second-factor/count-codes.ts'
import { readDevice } from '../sessions/known-device.ts'

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
