import { eq } from 'drizzle-orm'
import { users } from '#server/auth/table.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { spendAccountToken } from '../account-token.ts'
import { type SignInContext, type SignInOutcome, signIn } from '../sign-in/login.ts'
import { identities } from '../table.ts'

export async function loginVerified(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  token: string,
  place: SignInContext,
): Promise<SignInOutcome> {
  const now = deps.clock()
  const spent = await transact(deps.db, (tx) => spendAccountToken(tx, { token, purpose: 'sign_in', now }))
  if (!spent) throw appError('auth.token_invalid')
  const [user] = await deps.db.select().from(users).where(eq(users.id, spent.userId))
  if (!user) throw appError('auth.token_invalid')
  return await signIn(deps, user, { method: 'link', remember: spent.remember ?? false, place })
}

/** The token is valid once, within a minute. */
export async function loginWithToken(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  token: string,
  place: SignInContext,
): Promise<SignInOutcome> {
  const now = deps.clock()
  const spent = await transact(deps.db, (tx) => spendAccountToken(tx, { token, purpose: 'sign_in', now }))
  if (!spent) throw appError('auth.token_invalid')
  const [found] = await deps.db
    .select({ user: users, provider: identities.provider })
    .from(users)
    .innerJoin(identities, eq(identities.userId, users.id))
    .where(eq(users.id, spent.userId))
  if (!found) throw appError('auth.token_invalid')
  return await signIn(deps, found.user, { method: found.provider, remember: spent.remember ?? false, place })
}
