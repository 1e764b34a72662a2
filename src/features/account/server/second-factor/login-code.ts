import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { totpSecrets, users } from '#server/auth/table.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { AppError, appError } from '#server/http/app-error.ts'
import { limitRate, undoRateHits } from '#server/http/rate-limit.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { readAccountToken, spendAccountToken } from '../account-token.ts'
import { codeRules } from '../rate-rules.ts'
import { knownDeviceOf } from '../sessions/known-device.ts'
import { logFailedSignIn, type SignInContext, type SignInOutcome, signIn } from '../sign-in/login.ts'
import { spendCode } from './codes.ts'

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

type Tools = Pick<Deps, 'db' | 'clock' | 'config'>

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
