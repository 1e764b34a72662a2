import { and, asc, desc, eq, gt, inArray, lt } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Page } from '#contract/paging.ts'
import type { Staff } from '#contract/roles.ts'
import { users } from '#features/account/server/table.ts'
import type { Deps } from '#server/deps.ts'
import { approvalKinds } from '../rules.ts'
import type { listApprovalsInput } from '../schemas.ts'
import type { ApprovalView } from '../types.ts'
import { mayDecide } from './decide-approval.ts'
import { approvals } from './table.ts'

/**
 * Approvals of acts that the reader may decide about: those that wait oldest first, others newest
 * first.
 */
export async function listApprovals(
  { db }: Pick<Deps, 'db'>,
  staff: Staff,
  {
    status = 'waiting',
    sort = status === 'waiting' ? 'oldest' : 'newest',
    cursor,
    limit = 20,
  }: Omit<typeof listApprovalsInput.infer, 'limit'> & { limit?: number },
): Promise<Page<ApprovalView>> {
  const kinds = approvalKinds.filter((kind) => mayDecide(staff, kind))
  const [requester, decider] = [alias(users, 'requester'), alias(users, 'decider')]
  const [isBeyond, inOrder] = sort === 'oldest' ? [gt, asc] : [lt, desc]
  const found = await db
    .select({ row: approvals, user: users, requester: requester.name, decider: decider.name })
    .from(approvals)
    .leftJoin(users, eq(users.id, approvals.userId))
    .leftJoin(requester, eq(requester.id, approvals.requestedBy))
    .leftJoin(decider, eq(decider.id, approvals.decidedBy))
    .where(
      and(
        eq(approvals.status, status),
        inArray(approvals.kind, kinds),
        cursor === undefined ? undefined : isBeyond(approvals.id, cursor),
      ),
    )
    .orderBy(inOrder(approvals.id))
    .limit(limit + 1)
  const items = found.slice(0, limit).map(({ row, user, requester, decider }): ApprovalView => {
    const { id, kind, unit, amount, subject, reason, request, requestedBy, decidedBy, answer } = row
    return {
      ...{ id, kind, status: row.status, unit, amount, subject, reason, answer, details: request },
      user: user && { id: user.id, name: user.name, email: user.email },
      requestedBy: { id: requestedBy, name: requester ?? '' },
      decidedBy: decidedBy === null ? null : { id: decidedBy, name: decider ?? '' },
      createdAt: row.createdAt.toISOString(),
      expiresAt: row.expiresAt.toISOString(),
      decidedAt: row.decidedAt?.toISOString() ?? null,
    }
  })
  return { items, nextCursor: found.length > limit ? (items.at(-1)?.id ?? null) : null }
}
