import { and, eq, isNull } from 'drizzle-orm'
import { revokeSessions } from '#server/auth/revoke-sessions.ts'
import { users } from '#server/auth/table.ts'
import type { Transaction } from '#server/db/database.ts'
import { appError } from '#server/http/app-error.ts'
import type { Duty, Role } from '#shared/roles.ts'

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
