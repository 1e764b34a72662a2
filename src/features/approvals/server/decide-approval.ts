import { and, eq, isNull, lte } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import { audit } from '#server/audit/audit.ts'
import { requireAuthorityOver } from '#server/auth/accounts.ts'
import { users } from '#server/auth/table.ts'
import type { Config } from '#server/config.ts'
import type { Transaction } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { permissionsOf, refusalToActOn, type Staff } from '#shared/roles.ts'
import { addTime } from '#shared/time.ts'
import { type ApprovalKind, type ApprovalUnit, approvalDays, approvalPermission } from '../rules.ts'
import type { decideApprovalInput, WaitingApproval } from '../schemas.ts'
import { type ApprovalRequest, approvals } from './table.ts'

interface RequestedAction {
  kind: ApprovalKind
  unit: ApprovalUnit
  /** Negative if the action takes away; null without a limit. */
  amount: number | null
  /** Amount to compare with the threshold, if it exceeds this action alone. */
  counted?: number
  staffId: string
  userId?: string | undefined
  subject: string
  key?: string | undefined
  request: ApprovalRequest
  reason: string
  now: Date
}

type Row = typeof approvals.$inferSelect

/**
 * Records an action above the operator's limit for a second member of staff; undefined if it may
 * happen at once. A repeated request is the same approval. Throws `approval.no_second_person` if
 * the operator set the amount and no other member of staff could confirm, and `approval.waiting` if
 * another one requested the action already.
 */
export async function requireApproval(
  tx: Transaction,
  { approvals: thresholds }: Pick<Config, 'approvals'>,
  act: RequestedAction,
): Promise<WaitingApproval | undefined> {
  const { kind, unit, amount, staffId, userId, subject, key, request, reason, now } = act
  const known = key === undefined ? undefined : await findByKey(tx, key)
  if (known) return view(known, act)
  const { above, strict } = thresholds[unit]
  if (above === null) return undefined
  if (amount !== null && (act.counted ?? Math.abs(amount)) <= above) return undefined
  if (!(await hasOtherDecider(tx, act))) {
    if (strict) throw appError('approval.no_second_person')
    return undefined
  }
  const waiting = and(eq(approvals.kind, kind), eq(approvals.subject, subject), eq(approvals.status, 'waiting'))
  await tx
    .update(approvals)
    .set({ status: 'expired', decidedAt: now })
    .where(and(waiting, lte(approvals.expiresAt, now)))
  const [added] = await tx
    .insert(approvals)
    .values({
      id: uuid(),
      kind,
      unit,
      amount,
      userId: userId ?? null,
      subject,
      key: key ?? null,
      request,
      reason,
      requestedBy: staffId,
      createdAt: now,
      expiresAt: addTime(now, { days: approvalDays }),
    })
    .onConflictDoNothing()
    .returning()
  if (!added) {
    const [other] = key
      ? [await findByKey(tx, key)]
      : await tx
          .select()
          .from(approvals)
          .where(and(waiting, isNull(approvals.key)))
    if (!other) throw appError('approval.waiting')
    return view(other, act)
  }
  const after = { kind, unit, amount, subject }
  await audit(tx, {
    actor: staffId,
    action: 'approval.requested',
    subject: approvalSubject(added.id),
    after,
    reason,
    now,
  })
  return view(added, act)
}

const approvalSubject = (id: string) => ({ kind: 'approval', id })

async function findByKey(tx: Transaction, key: string): Promise<Row | undefined> {
  const [found] = await tx.select().from(approvals).where(eq(approvals.key, key))
  return found
}

/** Sorted, because jsonb does not keep the order of keys. */
const contentOf = (request: ApprovalRequest) => JSON.stringify(Object.entries(request).toSorted())

function view({ id, status, request, requestedBy }: Row, act: RequestedAction): WaitingApproval {
  if (requestedBy !== act.staffId || contentOf(request) !== contentOf(act.request))
    throw appError(act.key === undefined ? 'approval.waiting' : 'idempotency.reused')
  return { approval: { id, status } }
}

async function hasOtherDecider(tx: Transaction, { kind, staffId, userId }: RequestedAction): Promise<boolean> {
  const { id, role, duty } = users
  const staff = await tx
    .select({ id, role, duty })
    .from(users)
    .where(and(eq(role, 'admin'), isNull(users.disabledAt), isNull(users.deletedAt)))
  const [account] = userId ? await tx.select({ id, role, duty }).from(users).where(eq(id, userId)) : []
  return staff.some(
    (other) =>
      other.id !== staffId &&
      permissionsOf(other).includes(approvalPermission[kind]) &&
      (!account || refusalToActOn(other, account) === undefined),
  )
}

interface ApprovedAct {
  request: ApprovalRequest
  /** Named by the audit log. */
  staffId: string
  reason: string
  now: Date
}

export interface ApprovalAction {
  /** Runs before the transaction; may run twice. */
  prepare?(deps: Deps, request: ApprovalRequest): Promise<unknown>
  /** Runs in the transaction that closes the approval. */
  apply(tx: Transaction, deps: Deps, act: ApprovedAct): Promise<void>
  /** Runs after the commit; may be skipped by a crash. */
  finish?(deps: Deps, request: ApprovalRequest): Promise<unknown>
}
export type ApprovalActions = Record<ApprovalKind, ApprovalAction>

/**
 * Performs the action in the transaction of the confirmation, and so once, or refuses it. Both
 * members of staff must hold the permission now, and neither may own the account. Repeating a
 * decision changes nothing. If the action fails, the approval keeps waiting.
 */
export async function decideApproval(
  deps: Deps,
  actions: ApprovalActions,
  { id, staff, accept, reason }: { id: string; staff: Staff & { id: string } } & typeof decideApprovalInput.infer,
): Promise<void> {
  const [asked] = await deps.db.select().from(approvals).where(eq(approvals.id, id))
  if (!asked || !mayDecide(staff, asked.kind)) throw appError('approval.not_found')
  if (asked.requestedBy === staff.id) throw appError('approval.own')
  const { kind, request } = asked
  const action = actions[kind]
  if (accept && asked.status === 'waiting') await action.prepare?.(deps, request)
  const now = deps.clock()
  const decided = await transact(deps.db, async (tx) => {
    const [row] = await tx.select().from(approvals).where(eq(approvals.id, id)).for('update')
    if (!row) throw appError('approval.not_found')
    if (row.userId) await requireAuthorityOver(tx, staff.id, row.userId)
    const status = accept ? 'approved' : 'refused'
    if (row.status === status && row.decidedBy === staff.id) return false
    if (row.status === 'expired' || (row.status === 'waiting' && row.expiresAt <= now))
      throw appError('approval.expired')
    if (row.status !== 'waiting') throw appError('approval.final')
    if (accept) {
      await requireStillMay(tx, row)
      await action.apply(tx, deps, { request, staffId: row.requestedBy, reason: row.reason, now })
    }
    await tx
      .update(approvals)
      .set({ status, decidedBy: staff.id, decidedAt: now, answer: reason })
      .where(eq(approvals.id, id))
    const change = { before: { status: 'waiting' }, after: { status, kind, requestedBy: row.requestedBy } }
    await audit(tx, {
      actor: staff.id,
      action: `approval.${status}`,
      subject: approvalSubject(id),
      ...change,
      reason,
      now,
    })
    return true
  })
  if (!decided) return
  if (accept) await action.finish?.(deps, request)
}

export const mayDecide = (staff: Staff, kind: ApprovalKind) => permissionsOf(staff).includes(approvalPermission[kind])

/** The requester may have lost the permission since. */
async function requireStillMay(
  tx: Transaction,
  { requestedBy, userId, kind }: Pick<typeof approvals.$inferSelect, 'requestedBy' | 'userId' | 'kind'>,
): Promise<void> {
  const [staff] = await tx
    .select({ role: users.role, duty: users.duty, disabledAt: users.disabledAt })
    .from(users)
    .where(eq(users.id, requestedBy))
  if (!staff || staff.disabledAt || !mayDecide(staff, kind)) throw appError('approval.requester_changed')
  if (userId) await requireAuthorityOver(tx, requestedBy, userId)
}

/** Hourly. */
export async function expireApprovals({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const now = clock()
  await transact(db, async (tx) => {
    const expired = await tx
      .update(approvals)
      .set({ status: 'expired', decidedAt: now })
      .where(and(eq(approvals.status, 'waiting'), lte(approvals.expiresAt, now)))
      .returning({ id: approvals.id })
    for (const { id } of expired)
      await audit(tx, { actor: null, action: 'approval.expired', subject: approvalSubject(id), now })
  })
}
