import { and, arrayContains, desc, eq, gt, isNotNull, isNull, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import { credits } from '#features/credits/server/credits.ts'
import { creditAccounts } from '#features/credits/server/table.ts'
import { audit, auditTrail } from '#server/audit/audit.ts'
import { isFound, requireAuthorityOver } from '#server/auth/accounts.ts'
import { readAge } from '#server/auth/age.ts'
import { hasTotp } from '#server/auth/factors.ts'
import { deviceName } from '#server/auth/sessions.ts'
import { passkeys, sessions, users } from '#server/auth/table.ts'
import type { Executor } from '#server/db/database.ts'
import { type Key, type Keyset, keyset } from '#server/db/keyset.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { type AgeBand, yearOf } from '#shared/age.ts'
import type { Page, PageRequest } from '#shared/paging.ts'
import type {
  AccountStatus,
  AdminUserDetail,
  AdminUserView,
  accountStatusInput,
  listUsersInput,
  UserSummary,
} from '../../admin/schemas.ts'
import type { accountStates, UserSort } from '../../rules.ts'
import { changeRole, disableAccount, enableAccount, requireRemainingAdmin } from './help-user.ts'

const action = 'account.status_changed'
const about = (id: string) => ({ kind: 'account', id })

/** Newest first by default. */
export async function listUsers(
  { db, config, clock }: Pick<Deps, 'db' | 'config' | 'clock'>,
  query: typeof listUsersInput.infer,
  { cursor, limit = 20 }: PageRequest = query,
): Promise<Page<AdminUserView>> {
  const { search, role, tag, status, age, sort = 'newest' } = query
  const order = userOrders[sort]
  const found = await select(
    db,
    and(
      search ? await isFound(db, search) : undefined,
      role && eq(users.role, role),
      tag ? arrayContains(users.tags, [tag]) : undefined,
      status && inState(status),
      age && inBand(age, { config, now: clock() }),
      order.after(cursor),
    ),
    limit + 1,
    order.orderBy,
  )
  const { rows: items, nextCursor } = order.page(found, limit)
  return { items, nextCursor }
}

const balance = sql<number>`coalesce(${creditAccounts.balance}, 0)`

// Ids are ordered by creation time.
const byId: Key<AdminUserView> = { column: users.id, type: 'uuid', of: ({ id }) => id }
const byName: Key<AdminUserView> = { column: users.name, type: 'text', of: ({ name }) => name }
const byEmail: Key<AdminUserView> = { column: users.email, type: 'text', of: ({ email }) => email }
const byCredits: Key<AdminUserView> = { column: balance, type: 'bigint', of: ({ credits }) => credits }
const userOrders: Record<UserSort, Keyset<AdminUserView>> = {
  newest: keyset('users:newest', 'descending', [byId]),
  oldest: keyset('users:oldest', 'ascending', [byId]),
  name: keyset('users:name', 'ascending', [byName, byId]),
  name_down: keyset('users:name_down', 'descending', [byName, byId]),
  email: keyset('users:email', 'ascending', [byEmail, byId]),
  credits: keyset('users:credits', 'ascending', [byCredits, byId]),
  credits_down: keyset('users:credits_down', 'descending', [byCredits, byId]),
}

function inState(state: (typeof accountStates)[number]): SQL | undefined {
  if (state === 'disabled') return isNotNull(users.disabledAt)
  const verified = state === 'active' ? isNotNull(users.emailVerifiedAt) : isNull(users.emailVerifiedAt)
  return and(isNull(users.disabledAt), verified)
}

/** As `standingOf` tells the band of one user. */
function inBand(band: AgeBand, { config, now }: { config: Pick<Deps['config'], 'age'>; now: Date }): SQL | undefined {
  // Everyone counts as an adult where the operator has no rules for ages.
  if (!config.age) return band === 'adult' ? undefined : sql`false`
  const lastAdult = yearOf(now) - config.age.adult - 1
  const isUser = eq(users.role, 'user')
  if (band === 'unknown') return and(isUser, isNull(users.birthYear))
  if (band === 'minor') return and(isUser, gt(users.birthYear, lastAdult))
  return or(ne(users.role, 'user'), lte(users.birthYear, lastAdult))
}

type ReadDeps = Pick<Deps, 'config' | 'clock'> & { db: Executor }

export async function readUser({ db, config, clock }: ReadDeps, id: string): Promise<AdminUserDetail> {
  const [user] = await select(db, eq(users.id, id), 1)
  if (!user) throw appError('account.not_found')
  const changes = await auditTrail(db, { subject: about(id), action })
  const [note] = await db.select({ note: users.note }).from(users).where(eq(users.id, id))
  const age = await readAge(db, config, { userId: id, now: clock() })
  const keys = await db.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.userId, id))
  return {
    ...user,
    note: note?.note ?? '',
    age: { band: age?.band ?? 'unknown', guardian: age?.guardian ?? 'not_needed' },
    factors: { totp: await hasTotp(db, id), passkeys: keys.length },
    changes: changes.map(({ actorId, before, after, reason, createdAt }) => ({
      adminId: actorId,
      before: statusOf(before),
      after: statusOf(after),
      reason: reason ?? '',
      createdAt,
    })),
  }
}

/** Recorded in the audit log with a reason. An unchanged status changes nothing. */
export async function changeAccountStatus(
  { db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>,
  { id, staffId }: { id: string; staffId: string },
  { reason, ...wanted }: typeof accountStatusInput.infer,
): Promise<AdminUserDetail> {
  const now = clock()
  return transact(db, async (tx) => {
    if (wanted.disabled || wanted.duty || (wanted.role && wanted.role !== 'admin')) await requireRemainingAdmin(tx, id)
    const [user] = await tx
      .select({ role: users.role, duty: users.duty, disabledAt: users.disabledAt })
      .from(users)
      .where(and(eq(users.id, id), isNull(users.deletedAt)))
      .for('update')
    if (!user) throw appError('account.not_found')
    await requireAuthorityOver(tx, staffId, id)
    const before: AccountStatus = { role: user.role, duty: user.duty, disabled: user.disabledAt !== null }
    const role = wanted.role ?? before.role
    const duty = role === 'admin' ? (wanted.duty === undefined ? before.duty : wanted.duty) : null
    const after: AccountStatus = { role, duty, disabled: wanted.disabled ?? before.disabled }
    const isMoved = before.role !== role || before.duty !== duty
    if (!isMoved && before.disabled === after.disabled) return readUser({ db: tx, config, clock }, id)
    if (isMoved) await changeRole(tx, { userId: id, role, duty, now })
    if (before.disabled && !after.disabled) await enableAccount(tx, { userId: id })
    if (!before.disabled && after.disabled) await disableAccount(tx, { userId: id, now })
    await audit(tx, { actor: staffId, action, subject: about(id), before, after, reason, now })
    return readUser({ db: tx, config, clock }, id)
  })
}

async function select(
  executor: Executor,
  which: SQL | undefined,
  limit: number,
  order: SQL[] = [desc(users.id)],
): Promise<AdminUserView[]> {
  const found = await executor
    .select({ user: users, credits: balance })
    .from(users)
    .leftJoin(creditAccounts, eq(creditAccounts.userId, users.id))
    .where(and(which, isNull(users.deletedAt)))
    .orderBy(...order)
    .limit(limit)
  return found.map(({ user: { id, name, email, role, duty, tags, ...user }, credits }) => ({
    id,
    name,
    email,
    role,
    duty,
    tags,
    verified: user.emailVerifiedAt !== null,
    disabled: user.disabledAt !== null,
    credits,
    createdAt: user.createdAt.toISOString(),
  }))
}

/** Entries of the audit log from before duties existed have none. */
function statusOf(entry: unknown): AccountStatus {
  const { duty = null, ...status } = entry as Partial<AccountStatus> & Omit<AccountStatus, 'duty'>
  return { ...status, duty }
}

type Summary<Part extends keyof UserSummary> = (executor: Executor, userId: string) => Promise<Pick<UserSummary, Part>>

/** Contributed by other features. */
export interface SummarySources {
  orders: Summary<'paidOrders' | 'paidIdr'>
  generations: Summary<'generations' | 'failedGenerations' | 'lastGenerationAt' | 'refundRequests'>
}

export async function readUserSummary(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  sources: SummarySources,
  id: string,
): Promise<UserSummary> {
  const [user] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, id), isNull(users.deletedAt)))
  if (!user) throw appError('account.not_found')
  const now = clock()
  const [balance, generations, orders, open] = await Promise.all([
    credits.balance(db, id, now),
    sources.generations(db, id),
    sources.orders(db, id),
    db
      .select()
      .from(sessions)
      .where(and(eq(sessions.userId, id), isNull(sessions.revokedAt), gt(sessions.expiresAt, now)))
      .orderBy(desc(sessions.createdAt))
      .limit(20),
  ])
  return {
    credits: balance.credits,
    unlimitedUntil: balance.unlimitedUntil,
    ...generations,
    ...orders,
    sessions: open.map(({ id: session, userAgent, createdAt, lastSeenAt, secondFactorAt }) => ({
      id: session,
      device: deviceName(userAgent),
      createdAt: createdAt.toISOString(),
      lastSeenAt: (lastSeenAt ?? createdAt).toISOString(),
      secondFactor: secondFactorAt !== null,
    })),
  }
}
