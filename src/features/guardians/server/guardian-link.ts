import { and, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import { account } from '#features/account/server/account.ts'
import type { AccountDeps } from '#server/account-hooks.ts'
import { audit } from '#server/audit/audit.ts'
import { type AgeStanding, readAge, standingOf } from '#server/auth/age.ts'
import { accountTokens, guardianConsents, users } from '#server/auth/table.ts'
import type { Executor, Transaction } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { guardianConsentVersion } from '#shared/age.ts'
import { closesAfter, type LinkState } from '../rules.ts'
import type { decisionInput, GuardianLink } from '../schemas.ts'
import { decideClosing, eraseClosing } from './own-age.ts'

type Tools = Pick<Deps, 'db' | 'clock' | 'config'>
type Link = Awaited<ReturnType<typeof findLink>>

/** Opening changes nothing, since mail programs open links too. */
export async function readGuardianLink(deps: Tools, token: string): Promise<GuardianLink> {
  return viewOf(deps, await findLink(deps, deps.db, token))
}

/**
 * Throws `auth.token_invalid` for an unknown or expired link, one to an address that the minor has
 * replaced, and one of an erased account. A spent link stays readable.
 */
async function findLink({ config, clock }: Omit<Tools, 'db'>, executor: Executor, token: string) {
  const now = clock()
  const [link] = await executor
    .select()
    .from(accountTokens)
    .innerJoin(users, eq(users.id, accountTokens.userId))
    .where(
      and(
        eq(accountTokens.hash, account.tokenHash(token)),
        inArray(accountTokens.purpose, ['guardian_consent', 'guardian_revocation']),
        gt(accountTokens.expiresAt, now),
      ),
    )
  const standing = link && (await readAge(executor, config, { userId: link.users.id, now }))
  if (!standing || standing.guardianEmail !== link.account_tokens.email) throw appError('auth.token_invalid')
  const { account_tokens: spending, users: user } = link
  const state = stateOf(user, standing)
  // A spent or later link of an older version of the text decides nothing.
  if (state === 'open' && (spending.usedAt !== null || spending.purpose !== 'guardian_consent'))
    throw appError('auth.token_invalid')
  return { user, standing, state, spending, guardianEmail: standing.guardianEmail as string }
}

function stateOf({ closing }: typeof users.$inferSelect, { guardian }: AgeStanding): LinkState {
  if (closing !== null) return 'closed'
  if (guardian === 'given' || guardian === 'not_needed') return guardian
  return 'open'
}

async function viewOf({ db, config }: Pick<Tools, 'db' | 'config'>, link: Link): Promise<GuardianLink> {
  const { user, standing, state, spending } = link
  const { age } = config
  const [given] =
    state === 'given'
      ? await db
          .select({ at: sql<string>`max(given_at)` })
          .from(guardianConsents)
          .where(eq(guardianConsents.userId, user.id))
      : []
  const { waitingSince } = standing
  return {
    state,
    name: state === 'closed' ? '' : user.name,
    email: state === 'closed' ? '' : user.email,
    birthYear: state === 'closed' ? null : user.birthYear,
    adultAge: age?.adult ?? 18,
    version: guardianConsentVersion,
    givenAt: given ? new Date(given.at).toISOString() : null,
    closesAt: waitingSince && age ? closesAfter(waitingSince, age.guardianDays).toISOString() : null,
    mayRevoke: state === 'given' && spending.purpose === 'guardian_revocation',
  }
}

/**
 * Of concurrent decisions the first one counts; the others return what it led to. A refused or
 * revoked consent closes and erases the account.
 */
export async function decideAsGuardian(
  deps: AccountDeps,
  { token, address }: { token: string; address: string },
  { decision, version }: typeof decisionInput.infer,
): Promise<GuardianLink> {
  if (decision === 'consent' && version !== guardianConsentVersion) throw appError('consent.outdated')
  const link = await transact(deps.db, async (tx) => {
    const { user } = await findLink(deps, tx, token)
    await tx.select({ id: users.id }).from(users).where(eq(users.id, user.id)).for('update')
    // Read again: a concurrent decision may have been first.
    const found = await findLink(deps, tx, token)
    await apply(tx, deps, found, { decision, address })
    return await findLink(deps, tx, token)
  })
  const view = await viewOf(deps, link)
  if (link.state === 'closed') await eraseClosing(deps, link.user.id)
  return view
}

async function apply(
  tx: Transaction,
  deps: Pick<Tools, 'clock' | 'config'>,
  { user, state, spending, guardianEmail }: Link,
  { decision, address }: { decision: (typeof decisionInput.infer)['decision']; address: string },
): Promise<void> {
  const now = deps.clock()
  const userId = user.id
  const mayDecide = state === 'open'
  const mayRevoke = state === 'given' && spending.purpose === 'guardian_revocation'
  if (decision === 'revoke' ? !mayRevoke : !mayDecide) return
  await tx.update(accountTokens).set({ usedAt: now }).where(eq(accountTokens.hash, spending.hash))
  if (decision !== 'consent') {
    const reason = decision === 'revoke' ? 'guardian_revoked' : 'guardian_refused'
    return await decideClosing(tx, { userId, reason, now })
  }
  await refuseMinor(tx, deps, guardianEmail)
  await tx
    .update(guardianConsents)
    .set({ givenAt: now, givenFrom: address, version: guardianConsentVersion })
    .where(and(eq(guardianConsents.userId, userId), isNull(guardianConsents.givenAt)))
  const after = { version: guardianConsentVersion }
  await audit(tx, { actor: null, action: 'guardian.consented', subject: { kind: 'account', id: userId }, after, now })
  await enqueueMail(tx, { template: 'guardian_consented', userId, recipient: guardianEmail, now })
  await enqueueMail(tx, { template: 'guardian_allowed', userId, now })
}

/** A friend's account is no guardian; only the owner of that mailbox learns this. */
async function refuseMinor(tx: Transaction, { config, clock }: Pick<Tools, 'clock' | 'config'>, email: string) {
  const [user] = await tx.select().from(users).where(eq(users.email, email))
  if (user && standingOf({ user, consent: null }, config.age, clock()).band === 'minor')
    throw appError('guardian.too_young')
}

/** For a guardian who has lost the confirmation mail, by the spent link of the first mail. */
export async function resendRevocation(deps: Tools, token: string): Promise<void> {
  const { state, user, guardianEmail } = await findLink(deps, deps.db, token)
  if (state !== 'given') throw appError('auth.token_invalid')
  const now = deps.clock()
  await transact(deps.db, (tx) =>
    enqueueMail(tx, { template: 'guardian_consented', userId: user.id, recipient: guardianEmail, now }),
  )
}
