import { and, eq } from 'drizzle-orm'
import { securityLog } from '#server/audit/audit.ts'
import { hasFactor, lockFactors, needsSecondFactor } from '#server/auth/factors.ts'
import { accountTokens, users } from '#server/auth/table.ts'
import type { Transaction } from '#server/db/database.ts'
import { isUniqueViolation, transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import type { AuthUser } from '#shared/session.ts'
import type { emailChangeInput } from '../../schemas.ts'
import { spendAccountToken, tokenHash, voidLinks } from '../account-token.ts'
import { reauthenticate } from '../reauthentication.ts'
import { showFactorIfDue } from '../second-factor/show-factor.ts'

type Tools = Pick<Deps, 'db' | 'clock' | 'config'>

/**
 * Mails a link to the new address and a notice to the old one. The response does not reveal whether
 * the new address has an account. Links for the first factor go to the address, so staff who need a
 * factor must add it first.
 */
export async function requestEmailChange(
  deps: Tools,
  { user, sessionId }: { user: AuthUser; sessionId: string },
  { email, password, confirmation, ...shown }: typeof emailChangeInput.infer,
): Promise<void> {
  const userId = user.id
  if (needsSecondFactor(user, deps.config) && !(await hasFactor(deps.db, userId)))
    throw appError('auth.second_factor_due')
  const reauthenticated = await reauthenticate(deps, userId, { password, confirmation })
  const factor = await showFactorIfDue(deps, { userId, sessionId }, shown)
  if (email === reauthenticated.user.email) throw appError('account.email_unchanged')
  const now = deps.clock()
  await transact(deps.db, async (tx) => {
    await lockFactors(tx, userId)
    await reauthenticated.confirm(tx)
    await factor.confirm(tx)
    const [taken] = await tx.select({ id: users.id }).from(users).where(eq(users.email, email))
    if (taken) await enqueueMail(tx, { template: 'address_in_use', userId: taken.id, now })
    else await enqueueMail(tx, { template: 'verify_new_email', userId, recipient: email, now })
    await enqueueMail(tx, { template: 'email_change_requested', userId, now })
  })
}

/**
 * Links sent to the old address become invalid. Repeating it is no error, since mail programs open
 * links too.
 */
export async function confirmNewEmail(
  { db, clock }: Tools,
  { token, address }: { token: string; address: string },
): Promise<void> {
  const now = clock()
  const changed = transact(db, async (tx) => {
    const spent = await spendAccountToken(tx, { token, purpose: 'change_email', now })
    if (!spent?.email) {
      if (await isAlreadyApplied(tx, token)) return
      throw appError('auth.token_invalid')
    }
    const { userId, email } = spent
    const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId)).for('update')
    if (!user) throw appError('auth.token_invalid')
    await tx.update(users).set({ email, emailVerifiedAt: now }).where(eq(users.id, userId))
    await voidLinks(tx, { userId, now })
    await securityLog.note({ db: tx, clock }, { kind: 'email_changed', userId, address })
    await enqueueMail(tx, { template: 'email_changed', userId, recipient: user.email, now })
  })
  await changed.catch((error: unknown) => {
    // Another account has taken the address meanwhile.
    throw isUniqueViolation(error) ? appError('auth.token_invalid') : error
  })
}

async function isAlreadyApplied(tx: Transaction, token: string): Promise<boolean> {
  const found = await tx
    .select({ id: users.id })
    .from(accountTokens)
    .innerJoin(users, and(eq(users.id, accountTokens.userId), eq(users.email, accountTokens.email)))
    .where(and(eq(accountTokens.hash, tokenHash(token)), eq(accountTokens.purpose, 'change_email')))
  return found.length > 0
}
