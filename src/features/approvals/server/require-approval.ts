import { and, eq, isNull, lte } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import { audit } from '#server/audit/audit.ts'
import { users } from '#server/auth/table.ts'
import type { Config } from '#server/config.ts'
import type { Transaction } from '#server/db/database.ts'
import { appError } from '#server/http/app-error.ts'
import { permissionsOf, refusalToActOn } from '#shared/roles.ts'
import { type ApprovalKind, type ApprovalUnit, approvalDays, approvalPermission } from '../rules.ts'
import type { WaitingApproval } from '../schemas.ts'
import { type ApprovalRequest, approvals } from './table.ts'

export interface RequestedAction {
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
      expiresAt: new Date(now.getTime() + approvalDays * 86_400_000),
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

export const approvalSubject = (id: string) => ({ kind: 'approval', id })

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
