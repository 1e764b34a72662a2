import { and, desc, eq, isNotNull, isNull } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import { account } from '#features/account/server/account.ts'
import type { AccountDeps } from '#server/account-hooks.ts'
import { audit } from '#server/audit/audit.ts'
import { type AgeStanding, readAge } from '#server/auth/age.ts'
import { revokeSessions } from '#server/auth/sessions.ts'
import { guardianConsents, users } from '#server/auth/table.ts'
import type { Config } from '#server/config.ts'
import type { Transaction } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { enqueueMail, withdrawMails } from '#server/mail/outbox.ts'
import { type ClosingReason, isBirthYear, youngestAge } from '#shared/age.ts'
import { closesAfter } from '../rules.ts'
import type { AgeView, birthYearInput, ToldAge } from '../schemas.ts'

type Tools = Pick<Deps, 'db' | 'clock' | 'config'>

export async function readOwnAge({ db, clock, config }: Tools, userId: string): Promise<AgeView> {
  const standing = await readAge(db, config, { userId, now: clock() })
  if (!standing) throw appError('auth.expired')
  return viewOf(standing, config)
}

function viewOf({ waitingSince, dueAt, ...standing }: AgeStanding, { age }: Pick<Config, 'age'>): AgeView {
  const closesAt = waitingSince && age ? closesAfter(waitingSince, age.guardianDays) : null
  return { ...standing, dueAt: dueAt?.toISOString() ?? null, closesAt: closesAt?.toISOString() ?? null }
}

/**
 * Told once; only the operator can correct it. Throws `age.below_minimum`, and with `close` closes
 * and erases the account of a child instead.
 */
export async function tellBirthYear(
  deps: AccountDeps,
  userId: string,
  { birthYear, close }: typeof birthYearInput.infer,
): Promise<ToldAge> {
  const { db, config, clock } = deps
  const now = clock()
  if (!isBirthYear(birthYear, now)) throw appError('form.invalid', { details: { birthYear: 'age.year' } })
  const tooYoung = config.age !== null && youngestAge(birthYear, now) < config.age.minimum
  if (tooYoung && !close) throw appError('age.below_minimum')
  await transact(db, async (tx) => {
    const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
    if (!user || user.disabledAt) throw appError('auth.expired')
    if (user.birthYear === birthYear) return
    if (user.birthYear !== null || user.role !== 'user') throw appError('age.known')
    if (tooYoung) return await decideClosing(tx, { userId, reason: 'too_young', now })
    await tx.update(users).set({ birthYear }).where(eq(users.id, userId))
    await awaitGuardian(tx, config, { userId, now })
  })
  if (tooYoung) await eraseClosing(deps, userId)
  const standing = await readAge(db, config, { userId, now })
  if (!standing) throw appError('auth.expired')
  return { ...viewOf(standing, config), closed: tooYoung }
}

/** The wait begins even if the minor never names a guardian. */
export async function awaitGuardian(
  tx: Transaction,
  config: Pick<Config, 'age'>,
  { userId, now }: { userId: string; now: Date },
): Promise<void> {
  const standing = await readAge(tx, config, { userId, now })
  if (standing?.guardian !== 'unnamed') return
  await tx
    .insert(guardianConsents)
    .values({ id: uuid({ msecs: now.getTime() }), userId, createdAt: now, waitingSince: now })
    .onConflictDoNothing()
}

/** Mails the guardian, again for the same address. Links to an earlier address end. */
export async function nameGuardian(
  { db, clock, config }: Tools,
  user: { id: string; email: string },
  guardianEmail: string,
): Promise<AgeView> {
  const refuse = (problem: string) => appError('form.invalid', { details: { email: problem } })
  if (account.canonicalAddress(guardianEmail) === account.canonicalAddress(user.email))
    throw refuse('guardian.ownAddress')
  if (account.isDisposable(guardianEmail)) throw refuse('guardian.disposable')
  const now = clock()
  const userId = user.id
  const standing = await transact(db, async (tx) => {
    await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
    await awaitGuardian(tx, config, { userId, now })
    const standing = await readAge(tx, config, { userId, now })
    if (standing?.guardian !== 'unnamed' && standing?.guardian !== 'waiting') throw appError('guardian.not_needed')
    const isOther = standing.guardianEmail !== guardianEmail
    await tx
      .update(guardianConsents)
      .set({ guardianEmail, ...(isOther && { waitingSince: now, remindedAt: null }) })
      .where(and(eq(guardianConsents.userId, userId), isNull(guardianConsents.givenAt)))
    await withdrawMails(tx, userId, ['guardian_asked', 'guardian_reminder'])
    await enqueueMail(tx, { template: 'guardian_asked', userId, recipient: guardianEmail, now })
    return await readAge(tx, config, { userId, now })
  })
  return viewOf(standing as AgeStanding, config)
}

/**
 * Decides for good that the account closes, and ends its sessions. The erasure follows, by the
 * sweeper if this process dies first: an earlier or later decision never undoes it.
 */
export async function decideClosing(
  tx: Transaction,
  { userId, reason, now }: { userId: string; reason: ClosingReason; now: Date },
): Promise<void> {
  await tx.update(users).set({ closing: reason, disabledAt: now }).where(eq(users.id, userId))
  await revokeSessions(tx, { userId, now })
  await audit(tx, {
    actor: null,
    action: 'account.closed',
    subject: { kind: 'account', id: userId },
    after: { reason },
    now,
  })
}

const isClosing = and(isNotNull(users.closing), isNull(users.deletedAt))

/** By the account's own deletion: pictures, sessions and devices go, books stay without a name. */
export async function eraseClosing(deps: AccountDeps, userId: string): Promise<void> {
  await account.eraseAccount(deps, userId, async (tx) => {
    const [user] = await tx
      .select({ email: users.email })
      .from(users)
      .where(and(eq(users.id, userId), isClosing))
      .for('update')
    // Another process has erased it.
    if (!user) return undefined
    const [consent] = await tx
      .select({ email: guardianConsents.guardianEmail })
      .from(guardianConsents)
      .where(eq(guardianConsents.userId, userId))
      .orderBy(desc(guardianConsents.createdAt), desc(guardianConsents.id))
      .limit(1)
    const toGuardian = consent?.email ? [{ template: 'guardian_closed' as const, recipient: consent.email }] : []
    return [{ template: 'account_closed' as const, recipient: user.email }, ...toGuardian]
  })
}

export async function findClosing({ db }: Pick<Deps, 'db'>): Promise<string[]> {
  const found = await db.select({ id: users.id }).from(users).where(isClosing).limit(100)
  return found.map(({ id }) => id)
}
