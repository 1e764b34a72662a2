import { inArray } from 'drizzle-orm'
import type { Executor } from '#server/db/database.ts'
import { appError } from '#server/http/app-error.ts'
import { refusalToActOn, type StaffWork } from '#shared/roles.ts'
import { users } from './table.ts'

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
