import { createHmac, randomInt } from 'node:crypto'
import { and, eq, gt, isNotNull, isNull } from 'drizzle-orm'
import type { AccountDeps } from '#server/account-hooks.ts'
import { accountTokens, users } from '#server/auth/table.ts'
import type { Config } from '#server/config.ts'
import type { Executor, Transaction } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { addTime } from '#shared/time.ts'
import { verificationCodeMinutes } from '../../rules.ts'
import { makeAccountToken, readAccountToken, spendAccountToken, tokenHash } from '../account-token.ts'
import { logFailedSignIn, type SignInContext, type SignInOutcome, signIn } from '../sign-in/login.ts'
import { identities } from '../table.ts'
import { mailboxOf } from './canonical-address.ts'

type Secret = Pick<Config, 'jwtSecret'>

/**
 * A mailed link, and six digits for the device of the registration; the first use spends both. The
 * code is valid for minutes, only the newest mail's counts. Only hashes are stored.
 */
export async function makeVerification(
  executor: Executor,
  config: Secret,
  { userId, now }: { userId: string; now: Date },
): Promise<{ token: string; code: string }> {
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  await executor
    .update(accountTokens)
    .set({ codeHash: null })
    .where(and(eq(accountTokens.userId, userId), eq(accountTokens.purpose, 'verify_email')))
  const token = await makeAccountToken(executor, {
    userId,
    purpose: 'verify_email',
    now,
    codeHash: codeHash(config, userId, code),
  })
  return { token, code }
}

/** Also spends the link; of two concurrent requests only one succeeds. */
async function spendVerificationCode(
  tx: Transaction,
  config: Secret,
  { userId, code, now }: { userId: string; code: string; now: Date },
): Promise<boolean> {
  const spent = await tx
    .update(accountTokens)
    .set({ usedAt: now })
    .where(
      and(
        eq(accountTokens.userId, userId),
        eq(accountTokens.purpose, 'verify_email'),
        eq(accountTokens.codeHash, codeHash(config, userId, code)),
        isNull(accountTokens.usedAt),
        gt(accountTokens.createdAt, addTime(now, { minutes: -verificationCodeMinutes })),
      ),
    )
    .returning({ hash: accountTokens.hash })
  return spent.length > 0
}

function codeHash({ jwtSecret }: Secret, userId: string, code: string): string {
  return createHmac('sha256', jwtSecret).update(`verification:${userId}:${code}`).digest('base64url')
}

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
async function chooseFirstPassword(tx: Transaction, userId: string, now: Date): Promise<{ resetToken?: string }> {
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

/**
 * Once a second visitor claims an unverified address, either may be an attacker who waits for the
 * owner. The visitor who opens the mailed link chooses a password.
 */
export async function removeSignInMethods(tx: Transaction, userId: string): Promise<void> {
  await tx.update(users).set({ passwordHash: null }).where(eq(users.id, userId))
  await tx.delete(identities).where(eq(identities.userId, userId))
}

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
      .set({ expiresAt: addTime(now, { seconds: graceSeconds }) })
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
