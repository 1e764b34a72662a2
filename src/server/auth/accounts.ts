import { and, eq, inArray, isNull, type SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { validate as isUuid } from 'uuid'
import type { Executor, Transaction } from '#server/db/database.ts'
import { containsAll } from '#server/db/trigram-search.ts'
import { appError } from '#server/http/app-error.ts'
import type { FindRecipient } from '#server/mail/mail-definition.ts'
import { type Role, refusalToActOn, type StaffWork } from '#shared/roles.ts'
import { users } from './table.ts'

export async function findStaff(executor: Executor, role: Exclude<Role, 'user'>): Promise<string[]> {
  const able = and(eq(users.role, role), isNull(users.disabledAt), isNull(users.deletedAt))
  const found = await executor.select({ id: users.id }).from(users).where(able)
  return found.map(({ id }) => id)
}

/**
 * Ensures that the account is not deleted meanwhile, and serializes such transactions of a user.
 */
export async function holdAccount(tx: Transaction, userId: string): Promise<void> {
  const [user] = await tx
    .select({ disabledAt: users.disabledAt })
    .from(users)
    .where(eq(users.id, userId))
    .for('no key update')
  if (!user) throw appError('auth.expired')
  if (user.disabledAt) throw appError('auth.disabled')
}

/**
 * Finds by id, or by parts of name and address; `of` is another table's column that refers to the
 * account. `reads`: as for `containsAll`.
 */
export async function isFound(
  db: Executor,
  search: string,
  of: AnyPgColumn = users.id,
  reads: 'page' | 'all' = 'page',
): Promise<SQL | undefined> {
  return isUuid(search) ? eq(of, search) : containsAll(db, users, [users.name, users.email], search, { of, reads })
}

export const findRecipient: FindRecipient = async (executor, userId) => {
  const [user] = await executor
    .select({ address: users.email, language: users.language, deletedAt: users.deletedAt })
    .from(users)
    .where(eq(users.id, userId))
  return user && { address: user.address, language: user.language, deleted: user.deletedAt !== null }
}

/**
 * Refuses staff's own account, and accounts not below theirs. Call it inside the transaction of
 * every change, so that the current roles decide. Throws `account.own` and `account.higher_duty`.
 */
export async function requireAuthorityOver(
  executor: Executor,
  staffId: string,
  userId: string,
  work: StaffWork = 'account',
): Promise<void> {
  const { id, role, duty, disabledAt } = users
  const found = await executor
    .select({ id, role, duty, disabledAt })
    .from(users)
    .where(inArray(id, [staffId, userId]))
  const staff = found.find((row) => row.id === staffId)
  const account = found.find((row) => row.id === userId)
  if (!staff) throw appError('auth.forbidden')
  if (staff.disabledAt) throw appError('auth.disabled')
  if (!account) throw appError('account.not_found')
  const refusal = refusalToActOn(staff, account, work)
  if (refusal) throw appError(refusal)
}
