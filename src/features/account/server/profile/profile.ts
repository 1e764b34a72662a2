import { and, asc, desc, eq, isNull } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { AccountDeps } from '#server/account-hooks.ts'
import { securityLog } from '#server/audit/audit.ts'
import { isValidConsent } from '#server/auth/consent.ts'
import { hasFactor, lockFactors, needsSecondFactor, tokenClaims } from '#server/auth/factors.ts'
import { issueAccessToken } from '#server/auth/sessions.ts'
import { accountTokens, consents, sessions, users } from '#server/auth/table.ts'
import type { Transaction } from '#server/db/database.ts'
import { isUniqueViolation, transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import type { MailTemplate } from '#server/mail/table.ts'
import { type ConsentKind, consentVersions } from '#shared/consent.ts'
import type { AuthUser } from '#shared/session.ts'
import type { ChangedProfile, Consents, emailChangeInput, Profile, profileInput } from '../../schemas.ts'
import { spendAccountToken, tokenHash, voidLinks } from '../account-token.ts'
import { type Credentials, reauthenticate } from '../reauthentication.ts'
import { showFactorIfDue } from '../second-factor/show-factor.ts'
import { requireRemainingAdmin } from '../staff/help-user.ts'
import { identities } from '../table.ts'

export async function readProfile({ db }: Pick<Deps, 'db'>, userId: string): Promise<Profile> {
  const [user] = await db.select().from(users).where(eq(users.id, userId))
  if (!user) throw appError('auth.expired')
  const linked = await db
    .selectDistinct({ provider: identities.provider })
    .from(identities)
    .where(eq(identities.userId, userId))
    .orderBy(asc(identities.provider))
  const { id, name, email, role, language, theme, createdAt } = user
  return {
    id,
    name,
    email,
    role,
    language,
    theme,
    hasPassword: user.passwordHash !== null,
    providers: linked.map(({ provider }) => provider),
    createdAt: createdAt.toISOString(),
  }
}

/** The token carries the name, so the session gets a new one. */
export async function changeProfile(
  { db, config, clock }: Pick<Deps, 'db' | 'config' | 'clock'>,
  { userId, sessionId }: { userId: string; sessionId: string },
  { name, language, theme }: typeof profileInput.infer,
): Promise<ChangedProfile> {
  const change = {
    ...(name !== undefined && { name }),
    ...(language !== undefined && { language }),
    ...(theme !== undefined && { theme }),
  }
  if (Object.keys(change).length > 0) await db.update(users).set(change).where(eq(users.id, userId))
  const profile = await readProfile({ db }, userId)
  const [session] = await db
    .select({ expiresAt: sessions.expiresAt, secondFactorAt: sessions.secondFactorAt })
    .from(sessions)
    .where(eq(sessions.id, sessionId))
  if (!session) throw appError('auth.expired')
  const { id, email, role } = profile
  const secondFactor = session.secondFactorAt !== null
  const { due, ...limits } = await tokenClaims(db, config, { userId, secondFactor })
  const user = { id, name: profile.name, email, role, ...limits }
  const { expiresAt } = session
  const token = await issueAccessToken(config, { id: sessionId, user, due, createdAt: clock(), expiresAt })
  return { ...profile, access_token: token }
}

type Tools = Pick<Deps, 'db' | 'clock'>

export async function listConsents({ db }: Pick<Deps, 'db'>, userId: string): Promise<Consents> {
  const found = await db.select().from(consents).where(eq(consents.userId, userId)).orderBy(desc(consents.givenAt))
  return {
    current: consentVersions,
    items: found.map(({ kind, version, givenAt, withdrawnAt }) => ({
      kind,
      version,
      givenAt: givenAt.toISOString(),
      withdrawnAt: withdrawnAt?.toISOString() ?? null,
    })),
  }
}

export async function giveConsent(
  { db, clock }: Tools,
  userId: string,
  { kind, version }: { kind: ConsentKind; version: string },
): Promise<void> {
  if (version !== consentVersions[kind]) throw appError('consent.outdated')
  await transact(db, async (tx) => {
    await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
    const [given] = await tx.select({ id: consents.id }).from(consents).where(isValidConsent(userId, kind))
    if (given) return
    await tx.insert(consents).values({ id: uuid(), userId, kind, version, givenAt: clock() })
  })
}

/** Effective from the next call. The record stays. */
export async function withdrawConsent({ db, clock }: Tools, userId: string, kind: ConsentKind): Promise<void> {
  await db
    .update(consents)
    .set({ withdrawnAt: clock() })
    .where(and(eq(consents.userId, userId), eq(consents.kind, kind), isNull(consents.withdrawnAt)))
}

/**
 * Deletes everything except rows that the ledger needs, which no longer identify the user. The only
 * mail still sent confirms the deletion.
 */
export async function deleteAccount(deps: AccountDeps, userId: string, credentials: Credentials): Promise<void> {
  const reauthenticated = await reauthenticate(deps, userId, credentials)
  await transact(deps.db, (tx) => requireRemainingAdmin(tx, userId))
  await eraseAccount(deps, userId, async (tx) => {
    await reauthenticated.confirm(tx)
    await requireRemainingAdmin(tx, userId)
    return [{ template: 'account_deleted', recipient: reauthenticated.user.email }]
  })
}

type Farewell = { template: MailTemplate; recipient: string }

/**
 * Erases without asking the user. `confirm` begins the erasing transaction, may refuse by an error,
 * and returns the last mails; undefined if another process has erased the account.
 */
export async function eraseAccount(
  deps: AccountDeps,
  userId: string,
  confirm: (tx: Transaction) => Promise<Farewell[] | undefined>,
): Promise<void> {
  const { db, store, log, clock } = deps
  const parts = deps.accountHooks.personalData
  for (const part of parts) await part.prepareErasure?.(deps, userId)
  const now = clock()
  const keys = await transact(db, async (tx) => {
    const farewells = await confirm(tx)
    if (!farewells) return []
    const keys: string[] = []
    // The account comes last, since other parts refer to its row.
    for (const part of parts.toReversed()) keys.push(...(await part.erase(tx, { userId, now })))
    for (const farewell of farewells) await enqueueMail(tx, { ...farewell, userId, now })
    return keys
  })
  // Harmless: the sweep later deletes files that no row refers to.
  await store.delete(keys).catch((error: unknown) => log.error({ err: error }, 'after deleting an account'))
}

type EmailDeps = Pick<Deps, 'db' | 'clock' | 'config'>

/**
 * Mails a link to the new address and a notice to the old one. The response does not reveal whether
 * the new address has an account. Links for the first factor go to the address, so staff who need a
 * factor must add it first.
 */
export async function requestEmailChange(
  deps: EmailDeps,
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
  { db, clock }: EmailDeps,
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
