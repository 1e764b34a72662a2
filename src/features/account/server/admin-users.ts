import { and, desc, eq, ilike, isNull, lt, or, type SQL } from 'drizzle-orm'
import type { Page } from '#contract/paging.ts'
import { audit, auditTrail } from '#features/audit/server/audit.ts'
import type { Executor } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import type { AccountStatus, AdminUserDetail, AdminUserView, accountStatusInput, listUsersInput } from '../contract.ts'
import { changeRole, disableAccount, enableAccount, keepAnAdmin } from './account-status.ts'
import { users } from './table.ts'

const action = 'account.status_changed'
const about = (id: string) => ({ kind: 'account', id })

/** Everybody who has an account, the newest first. */
export async function listUsers(
  { db }: Pick<Deps, 'db'>,
  { search, role, cursor, limit = 20 }: typeof listUsersInput.infer,
): Promise<Page<AdminUserView>> {
  const part = search && `%${search.replace(/[\\%_]/g, '\\$&')}%`
  const found = await select(
    db,
    and(
      part ? or(ilike(users.email, part), ilike(users.name, part)) : undefined,
      role && eq(users.role, role),
      cursor ? lt(users.id, cursor) : undefined,
    ),
    limit + 1,
  )
  const items = found.slice(0, limit)
  return { items, nextCursor: found.length > limit ? (items.at(-1)?.id ?? null) : null }
}

/** An account, and what admins have changed about it. */
export async function readUser({ db }: { db: Executor }, id: string): Promise<AdminUserDetail> {
  const [user] = await select(db, eq(users.id, id), 1)
  if (!user) throw appError('account.not_found')
  const changes = await auditTrail(db, { subject: about(id), action })
  return {
    ...user,
    changes: changes.map(({ actorId, before, after, reason, createdAt }) => ({
      adminId: actorId,
      before: before as AccountStatus,
      after: after as AccountStatus,
      reason: reason ?? '',
      createdAt,
    })),
  }
}

/** Gives an account another role, or shuts it out or lets it in again; written down with its reason. The same again changes nothing. */
export async function changeAccountStatus(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { id, adminId, reason, ...wanted }: { id: string; adminId: string } & typeof accountStatusInput.infer,
): Promise<AdminUserDetail> {
  const now = clock()
  return transact(db, async (tx) => {
    if (wanted.disabled || (wanted.role && wanted.role !== 'admin')) await keepAnAdmin(tx, id)
    const [user] = await tx
      .select({ role: users.role, disabledAt: users.disabledAt })
      .from(users)
      .where(and(eq(users.id, id), isNull(users.deletedAt)))
      .for('update')
    if (!user) throw appError('account.not_found')
    const before: AccountStatus = { role: user.role, disabled: user.disabledAt !== null }
    const after: AccountStatus = { role: wanted.role ?? before.role, disabled: wanted.disabled ?? before.disabled }
    if (before.role === after.role && before.disabled === after.disabled) return readUser({ db: tx }, id)
    if (before.role !== after.role) await changeRole(tx, { userId: id, role: after.role, now })
    if (before.disabled && !after.disabled) await enableAccount(tx, { userId: id })
    if (!before.disabled && after.disabled) await disableAccount(tx, { userId: id, now })
    await audit(tx, { actor: adminId, action, subject: about(id), before, after, reason, now })
    return readUser({ db: tx }, id)
  })
}

async function select(executor: Executor, which: SQL | undefined, limit: number): Promise<AdminUserView[]> {
  const found = await executor
    .select()
    .from(users)
    .where(and(which, isNull(users.deletedAt)))
    .orderBy(desc(users.id))
    .limit(limit)
  return found.map(({ id, name, email, role, emailVerifiedAt, disabledAt, createdAt }) => ({
    ...{ id, name, email, role },
    verified: emailVerifiedAt !== null,
    disabled: disabledAt !== null,
    createdAt: createdAt.toISOString(),
  }))
}
