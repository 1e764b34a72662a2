import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import type { AccountDeps } from '#server/account-hooks.ts'
import { accountTokens, users } from '#server/auth/table.ts'
import type { Transaction } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import { appError } from '#server/http/app-error.ts'
import { makeAccountToken, readAccountToken, spendAccountToken, tokenHash } from '../account-token.ts'
import { identities } from '../table.ts'
import { mailboxOf } from './mailbox.ts'

type Tools = Pick<AccountDeps, 'db' | 'clock' | 'config' | 'accountHooks'>

/**
 * The first verification queues the welcome mail. A used link is no error, since mail programs open
 * links too. Returns a token to choose a password if the account has none (see sign-in-methods.ts),
 * otherwise a token to sign in on the device of the registration, which keeps the token
 * `registeredHere`.
 */
export async function verifyEmail(
  deps: Tools,
  token: string,
  registeredHere?: string,
): Promise<{ resetToken?: string; signInToken?: string }> {
  const now = deps.clock()
  return await transact(deps.db, async (tx) => {
    const spent = await spendAccountToken(tx, { token, purpose: 'verify_email', now })
    if (spent) {
      await markVerified(tx, deps, { userId: spent.userId, now })
      return signInStep(tx, spent.userId, registeredHere, now)
    }
    const [done] = await tx
      .select({ id: users.id, expiresAt: accountTokens.expiresAt })
      .from(accountTokens)
      .innerJoin(users, eq(users.id, accountTokens.userId))
      .where(
        and(
          eq(accountTokens.hash, tokenHash(token)),
          eq(accountTokens.purpose, 'verify_email'),
          isNotNull(accountTokens.usedAt),
          isNotNull(users.emailVerifiedAt),
        ),
      )
    if (!done) throw appError('auth.token_invalid')
    return done.expiresAt > now ? signInStep(tx, done.id, registeredHere, now) : {}
  })
}

async function signInStep(tx: Transaction, userId: string, registeredHere: string | undefined, now: Date) {
  const locked = await chooseFirstPassword(tx, userId, now)
  if (locked.resetToken !== undefined || registeredHere === undefined) return locked
  const registered = await readAccountToken(tx, { token: registeredHere, purpose: 'registered', now })
  if (registered?.userId !== userId) return {}
  return { signInToken: await makeAccountToken(tx, { userId, purpose: 'sign_in', remember: true, now }) }
}

/**
 * The mailed link proves ownership of the address; without password and provider there is no other
 * sign-in method.
 */
export async function chooseFirstPassword(
  tx: Transaction,
  userId: string,
  now: Date,
): Promise<{ resetToken?: string }> {
  const [locked] = await tx
    .select({ id: users.id })
    .from(users)
    .leftJoin(identities, eq(identities.userId, users.id))
    .where(and(eq(users.id, userId), isNull(users.passwordHash), isNull(identities.userId)))
  return locked ? { resetToken: await makeAccountToken(tx, { userId, purpose: 'reset_password', now }) } : {}
}

export async function markVerified(
  tx: Transaction,
  { accountHooks, config }: Pick<AccountDeps, 'accountHooks' | 'config'>,
  { userId, now }: { userId: string; now: Date },
): Promise<void> {
  const verified = await tx
    .update(users)
    .set({ emailVerifiedAt: now })
    .where(and(eq(users.id, userId), isNull(users.emailVerifiedAt)))
    .returning({ email: users.email })
  const [user] = verified
  if (!user) return
  const mailbox = mailboxOf(user.email, config)
  for (const hook of accountHooks.verified) await hook(tx, { userId, mailbox, now, config })
}
