import { eq } from 'drizzle-orm'
import { users } from '#server/auth/table.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { readAccountToken, spendAccountToken } from '../account-token.ts'
import { logFailedSignIn, type SignInContext, type SignInOutcome, signIn } from '../sign-in/login.ts'
import { withCodeLimit } from './count-codes.ts'
import { spendCode } from './spend-code.ts'

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
