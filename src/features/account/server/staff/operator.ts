import { and, eq, isNull } from 'drizzle-orm'
import { securityLog } from '#server/audit/audit.ts'
import { hashPassword } from '#server/auth/password-hash.ts'
import { revokeSessions } from '#server/auth/revoke-sessions.ts'
import { users } from '#server/auth/table.ts'
import type { Transaction } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { deleteFactors } from '../second-factor/delete-factors.ts'
import { makePassword } from './first-admin.ts'

type Tools = Pick<Deps, 'db' | 'clock' | 'config'>

/**
 * Sets a generated password, to be changed at the next sign-in. For the operator, without
 * authentication. Throws `account.not_found`.
 */
export async function setGeneratedPassword(tools: Tools, email: string): Promise<string> {
  const password = makePassword()
  const passwordHash = await hashPassword(tools, password, email)
  await change(tools, email, 'password_reset', 'password_changed', async (tx, userId) => {
    await tx.update(users).set({ passwordHash, passwordChangeDue: true }).where(eq(users.id, userId))
  })
  return password
}

/** The next factor needs the mailed link again. For the operator. Throws `account.not_found`. */
export async function removeAllFactors(tools: Tools, email: string): Promise<void> {
  await change(tools, email, 'factors_removed', 'factors_reset', deleteFactors)
}

async function change(
  { db, clock }: Tools,
  email: string,
  kind: 'password_reset' | 'factors_removed',
  template: 'password_changed' | 'factors_reset',
  work: (tx: Transaction, userId: string) => Promise<unknown>,
): Promise<void> {
  const now = clock()
  await transact(db, async (tx) => {
    const address = email.trim().toLowerCase()
    const [user] = await tx
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.email, address), isNull(users.deletedAt)))
    if (!user) throw appError('account.not_found')
    await work(tx, user.id)
    await revokeSessions(tx, { userId: user.id, now })
    await securityLog.note({ db: tx, clock }, { kind, userId: user.id, address: 'local', detail: 'operator' })
    await enqueueMail(tx, { template, userId: user.id, now })
  })
}
