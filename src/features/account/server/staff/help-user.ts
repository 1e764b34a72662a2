import { and, eq, isNull } from 'drizzle-orm'
import { audit } from '#server/audit/audit.ts'
import { requireAuthorityOver } from '#server/auth/accounts.ts'
import { revokeSessions } from '#server/auth/sessions.ts'
import { guardianConsents, users } from '#server/auth/table.ts'
import type { Transaction } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import type { Duty, Role } from '#shared/roles.ts'
import type { accountNoteInput, askAgeInput, linkMailInput } from '../../admin/schemas.ts'

interface Help {
  id: string
  staffId: string
}

/** The audit log records only the fact, since its entries outlive the account. */
export async function setNote(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { id, staffId }: Help,
  { note, tags }: typeof accountNoteInput.infer,
): Promise<void> {
  await transact(db, async (tx) => {
    await lockUser(tx, { id, staffId })
    await tx
      .update(users)
      .set({ note, tags: [...new Set(tags)] })
      .where(eq(users.id, id))
    await audit(tx, { actor: staffId, action: 'account.noted', subject: { kind: 'account', id }, now: clock() })
  })
}

export async function sendLink(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { id, staffId }: Help,
  { template, reason }: typeof linkMailInput.infer,
): Promise<void> {
  const now = clock()
  await transact(db, async (tx) => {
    const { emailVerifiedAt, disabledAt } = await lockUser(tx, { id, staffId })
    if (disabledAt) throw appError('auth.disabled')
    if (template === 'verify_email' && emailVerifiedAt) throw appError('account.verified')
    const subject = { kind: 'account', id }
    await audit(tx, { actor: staffId, action: 'account.link_sent', subject, after: { template }, reason, now })
    await enqueueMail(tx, { template, userId: id, now })
  })
}

/**
 * For a mistyped birth year: the user is asked anew before anything can be started. Staff neither
 * tell the year nor consent as a guardian.
 */
export async function askAgeAgain(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { id, staffId }: Help,
  { reason }: typeof askAgeInput.infer,
): Promise<void> {
  const now = clock()
  await transact(db, async (tx) => {
    await lockUser(tx, { id, staffId })
    await tx.update(users).set({ birthYear: null, birthYearDueAt: now }).where(eq(users.id, id))
    await tx.delete(guardianConsents).where(and(eq(guardianConsents.userId, id), isNull(guardianConsents.givenAt)))
    const subject = { kind: 'account', id }
    await audit(tx, { actor: staffId, action: 'account.age_asked_again', subject, reason, now })
  })
}

async function lockUser(tx: Transaction, { id, staffId }: Help) {
  const [user] = await tx
    .select({ emailVerifiedAt: users.emailVerifiedAt, disabledAt: users.disabledAt })
    .from(users)
    .where(and(eq(users.id, id), isNull(users.deletedAt)))
    .for('update')
  if (!user) throw appError('account.not_found')
  await requireAuthorityOver(tx, staffId, id)
  return user
}

/** Tokens carry role and duty, so all sessions end. */
export async function changeRole(
  tx: Transaction,
  { userId, role, duty, now }: { userId: string; role: Role; duty: Duty | null; now: Date },
): Promise<void> {
  await tx.update(users).set({ role, duty }).where(eq(users.id, userId))
  await revokeSessions(tx, { userId, now })
}

export async function disableAccount(tx: Transaction, { userId, now }: { userId: string; now: Date }): Promise<void> {
  await tx.update(users).set({ disabledAt: now }).where(eq(users.id, userId))
  await revokeSessions(tx, { userId, now })
}

/** Deleted accounts stay disabled. */
export async function enableAccount(tx: Transaction, { userId }: { userId: string }): Promise<void> {
  const [user] = await tx.select({ deletedAt: users.deletedAt }).from(users).where(eq(users.id, userId)).for('update')
  if (user && !user.deletedAt) await tx.update(users).set({ disabledAt: null }).where(eq(users.id, userId))
}

/** Keeps at least one admin without a duty, who can appoint others. */
export async function requireRemainingAdmin(tx: Transaction, userId: string): Promise<void> {
  const admins = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.role, 'admin'), isNull(users.duty), isNull(users.disabledAt)))
    .orderBy(users.id)
    .for('update')
  if (admins.length === 1 && admins[0]?.id === userId) throw appError('account.last_admin')
}
