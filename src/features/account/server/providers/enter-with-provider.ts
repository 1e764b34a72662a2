import { and, eq } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { AccountDeps } from '#server/account-hooks.ts'
import { securityLog } from '#server/audit/audit.ts'
import { revokeSessions } from '#server/auth/sessions.ts'
import { users } from '#server/auth/table.ts'
import type { Transaction } from '#server/db/database.ts'
import { isUniqueViolation, transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { limitRate } from '#server/http/rate-limit.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { refuseChangeInMaintenance } from '#server/maintenance.ts'
import { isEmail, normalizeEmail } from '#shared/credentials.ts'
import type { Language } from '#shared/language.ts'
import { nameMaxLength, normalizeName } from '../../rules.ts'
import { makeAccountToken, spendAccountToken, voidLinks } from '../account-token.ts'
import { mailRules } from '../rate-rules.ts'
import { markVerified, removeSignInMethods } from '../registration/verify-email.ts'
import { requireSignInAllowed, type SignInContext, type SignInOutcome, signIn } from '../sign-in/login.ts'
import { identities } from '../table.ts'
import type { ProviderIdentity } from './flow-cookie.ts'

type Tools = Pick<AccountDeps, 'db' | 'clock' | 'config' | 'accountHooks'>
type User = typeof users.$inferSelect

/**
 * Returns a token that signs in once, within a minute; it travels in an address, so it must not be
 * a session's token. The provider's permanent id decides; an address links to an account only if
 * the provider vouches for it, otherwise it must be verified by mail. Linking to an existing
 * account queues a notice.
 */
export async function enterWithProvider(
  deps: Tools,
  person: ProviderIdentity,
  place: { remember: boolean; language: Language; address: string },
): Promise<string> {
  await limitMails(deps, person, place.address)
  const find = () => transact(deps.db, (tx) => findOrOpen(tx, deps, person, place))
  const user = await find().catch((error: unknown) => {
    // A concurrent sign-in of the same user was first.
    if (isUniqueViolation(error)) return find()
    throw error
  })
  if (user) {
    requireSignInAllowed(user)
    const { remember } = place
    return await makeAccountToken(deps.db, { userId: user.id, purpose: 'sign_in', remember, now: deps.clock() })
  }
  throw appError('auth.email_unverified')
}

/** Each sign-in with an unverified address sends a mail. */
async function limitMails(deps: Tools, { provider, subject, email, emailVerified }: ProviderIdentity, address: string) {
  if (emailVerified || email === null) return
  const [known] = await deps.db
    .select({ verified: users.emailVerifiedAt })
    .from(identities)
    .innerJoin(users, eq(users.id, identities.userId))
    .where(and(eq(identities.provider, provider), eq(identities.subject, subject)))
  if (!known?.verified) await limitRate(deps, mailRules('provider', address, normalizeEmail(email)))
}

/** Returns a single-use token, valid for a few minutes. */
export async function confirmWithProvider(
  { db, clock }: Pick<AccountDeps, 'db' | 'clock'>,
  { provider, subject }: ProviderIdentity,
): Promise<string> {
  const [known] = await db
    .select({ userId: identities.userId })
    .from(identities)
    .where(and(eq(identities.provider, provider), eq(identities.subject, subject)))
  if (!known) throw appError('auth.confirmation_invalid')
  return await makeAccountToken(db, { userId: known.userId, purpose: 'confirm', now: clock() })
}

/** Undefined while the address is unverified. */
async function findOrOpen(
  tx: Transaction,
  deps: Tools,
  person: ProviderIdentity,
  { language, address }: { language: Language; address: string },
): Promise<User | undefined> {
  const now = deps.clock()
  const { provider, subject, emailVerified } = person
  const given = person.email === null ? '' : normalizeEmail(person.email)
  const email = isEmail(given) ? given : undefined
  const verify = (userId: string) => markVerified(tx, deps, { userId, now })

  const [linked] = await tx
    .select({ user: users })
    .from(identities)
    .innerJoin(users, eq(users.id, identities.userId))
    .where(and(eq(identities.provider, provider), eq(identities.subject, subject)))
  if (linked) {
    const { user } = linked
    if (user.emailVerifiedAt || user.disabledAt) return user
    await refuseChangeInMaintenance({ db: tx })
    if (!emailVerified || email !== user.email) {
      await enqueueMail(tx, { template: 'verify_email', userId: user.id, now })
      return undefined
    }
    await verify(user.id)
    return await readUser(tx, user.id)
  }

  await refuseChangeInMaintenance({ db: tx })
  if (!email) throw appError('auth.provider_no_email')
  const link = (userId: string) => tx.insert(identities).values({ provider, subject, userId, createdAt: now })
  const [known] = await tx.select().from(users).where(eq(users.email, email)).for('update')
  if (known) {
    if (!emailVerified) {
      if (!known.emailVerifiedAt) await removeSignInMethods(tx, known.id)
      const template = known.emailVerifiedAt ? 'address_in_use' : 'verify_email'
      await enqueueMail(tx, { template, userId: known.id, now })
      return undefined
    }
    if (known.disabledAt) throw appError('auth.disabled')
    if (!known.emailVerifiedAt) await takeOver(tx, known.id, kept(person.name), now)
    await link(known.id)
    await verify(known.id)
    const user = await readUser(tx, known.id)
    // An unverified account has just lost every other sign-in method: no owner to notify.
    if (!known.emailVerifiedAt) return user
    const event = { kind: 'provider_linked', userId: known.id, address, detail: provider } as const
    await securityLog.note({ db: tx, clock: deps.clock }, event)
    await enqueueMail(tx, { template: 'provider_linked', userId: known.id, now })
    return user
  }

  const id = uuid()
  // Providers tell no age: the user is asked before anything can be started.
  await tx
    .insert(users)
    .values({ id, name: nameOf(person, email), email, language, birthYearDueAt: now, createdAt: now })
  await link(id)
  if (!emailVerified) {
    await enqueueMail(tx, { template: 'verify_email', userId: id, now })
    return undefined
  }
  await verify(id)
  return await readUser(tx, id)
}

/** Against account pre-hijacking: an attacker may have created the unverified account as a trap. */
async function takeOver(tx: Transaction, userId: string, name: string, now: Date): Promise<void> {
  await removeSignInMethods(tx, userId)
  const changes = { birthYear: null, birthYearDueAt: now, ...(name !== '' && { name }) }
  await tx.update(users).set(changes).where(eq(users.id, userId))
  await voidLinks(tx, { userId, now })
  await revokeSessions(tx, { userId, now })
}

async function readUser(tx: Transaction, userId: string): Promise<User> {
  const [user] = await tx.select().from(users).where(eq(users.id, userId))
  return user as User
}

function nameOf({ name }: ProviderIdentity, email: string): string {
  return kept(name) || email.slice(0, email.indexOf('@'))
}

function kept(name: string | null): string {
  return normalizeName((name ?? '').slice(0, nameMaxLength))
}

async function spendSignInToken({ db, clock }: Pick<Deps, 'db' | 'clock'>, token: string) {
  const spent = await transact(db, (tx) => spendAccountToken(tx, { token, purpose: 'sign_in', now: clock() }))
  if (!spent) throw appError('auth.token_invalid')
  return spent
}

export async function loginVerified(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  token: string,
  place: SignInContext,
): Promise<SignInOutcome> {
  const spent = await spendSignInToken(deps, token)
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
  const spent = await spendSignInToken(deps, token)
  const [found] = await deps.db
    .select({ user: users, provider: identities.provider })
    .from(users)
    .innerJoin(identities, eq(identities.userId, users.id))
    .where(eq(users.id, spent.userId))
  if (!found) throw appError('auth.token_invalid')
  return await signIn(deps, found.user, { method: found.provider, remember: spent.remember ?? false, place })
}
