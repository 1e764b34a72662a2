import { and, eq } from 'drizzle-orm'
import type { AccountDeps } from '#server/account-hooks.ts'
import { accountTokens, users } from '#server/auth/table.ts'
import type { Transaction } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { makeAccountToken, readAccountToken, tokenHash } from '../account-token.ts'
import { logFailedSignIn, type SignInContext, type SignInOutcome, signIn } from '../sign-in/login.ts'
import { spendVerificationCode } from './verification-code.ts'
import { chooseFirstPassword, markVerified } from './verify-email.ts'

/** Seconds in which a sign-in whose response was lost may be repeated. */
const graceSeconds = 60

type Found = { user?: typeof users.$inferSelect; resetToken?: string }

/**
 * Signs in by the browser's registration token: with the mailed code, or without it after the link
 * was opened on any device. For an account without a password a code earns a token to choose one
 * (see sign-in-methods.ts). Without a code and before verification it returns no token.
 */
export async function verifyRegistered(
  deps: Pick<AccountDeps, 'db' | 'clock' | 'config' | 'accountHooks'>,
  { token, code }: { token: string; code: string | undefined },
  place: SignInContext,
): Promise<{ signedIn?: SignInOutcome; resetToken?: string }> {
  const now = deps.clock()
  const { db, config } = deps
  const known = await readAccountToken(db, { token, purpose: 'registered', now })
  const find = async (tx: Transaction): Promise<Found> => {
    // Locks the row: the second of two concurrent requests finds the address verified.
    const [before] = known ? await tx.select().from(users).where(eq(users.id, known.userId)).for('update') : []
    if (code !== undefined && !before?.emailVerifiedAt) {
      const right = before && (await spendVerificationCode(tx, config, { userId: before.id, code, now }))
      if (!right) throw appError('auth.code_wrong')
      await markVerified(tx, deps, { userId: before.id, now })
      const { resetToken } = await chooseFirstPassword(tx, before.id, now)
      if (resetToken !== undefined) return { resetToken }
    }
    const [user] = before ? await tx.select().from(users).where(eq(users.id, before.id)) : []
    // Registering an unverified address again removes its password.
    if (!user?.emailVerifiedAt || user.passwordHash === null) return {}
    await tx
      .update(accountTokens)
      .set({ expiresAt: new Date(now.getTime() + graceSeconds * 1000) })
      .where(and(eq(accountTokens.hash, tokenHash(token)), eq(accountTokens.purpose, 'registered')))
    return { user }
  }
  return await logFailedSignIn(deps, known?.userId ?? null, place, async () => {
    const { user, resetToken } = await transact(db, find)
    if (!user) return resetToken === undefined ? {} : { resetToken }
    const method = code === undefined ? 'link' : 'verification_code'
    return { signedIn: await signIn(deps, user, { method, remember: true, place }) }
  })
}

/** For a device that has just shown the password of an unverified account. */
export async function waitForVerification(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  email: string,
): Promise<string | undefined> {
  const [user] = await db.select({ id: users.id }).from(users).where(eq(users.email, email))
  return user && makeAccountToken(db, { userId: user.id, purpose: 'registered', now: clock() })
}
