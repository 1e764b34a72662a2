import { and, eq, inArray } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { users } from '#server/auth/table.ts'
import { type Key, keyset } from '#server/db/keyset.ts'
import type { Deps } from '#server/deps.ts'
import type { Page, PageRequest } from '#shared/paging.ts'
import type { Staff } from '#shared/roles.ts'
import { approvalKinds } from '../rules.ts'
import type { ApprovalView, listApprovalsInput } from '../schemas.ts'
import { mayDecide } from './decide-approval.ts'
import { approvals } from './table.ts'

// Ids are time-ordered (UUIDv7).
const key: Key<{ row: typeof approvals.$inferSelect }> = { column: approvals.id, type: 'uuid', of: ({ row }) => row.id }
const orders = {
  newest: keyset('approvals:newest', 'descending', [key]),
  oldest: keyset('approvals:oldest', 'ascending', [key]),
}

/** Only those the reader may decide about: waiting ones oldest first, others newest first. */
export async function listApprovals(
  { db }: Pick<Deps, 'db'>,
  staff: Staff,
  query: typeof listApprovalsInput.infer,
  page: PageRequest = query,
): Promise<Page<ApprovalView>> {
  const { status = 'waiting', sort = status === 'waiting' ? 'oldest' : 'newest' } = query
  const order = orders[sort]
  const kinds = approvalKinds.filter((kind) => mayDecide(staff, kind))
  const [requester, decider] = [alias(users, 'requester'), alias(users, 'decider')]
  const { rows, nextCursor } = await order.read(
    db
      .select({ row: approvals, user: users, requester: requester.name, decider: decider.name })
      .from(approvals)
      .leftJoin(users, eq(users.id, approvals.userId))
      .leftJoin(requester, eq(requester.id, approvals.requestedBy))
      .leftJoin(decider, eq(decider.id, approvals.decidedBy)),
    and(eq(approvals.status, status), inArray(approvals.kind, kinds)),
    page,
  )
  const items = rows.map(({ row, user, requester, decider }): ApprovalView => {
    const { id, kind, unit, amount, subject, reason, request, requestedBy, decidedBy, answer } = row
    return {
      id,
      kind,
      status: row.status,
      unit,
      amount,
      subject,
      reason,
      answer,
      details: request,
      user: user && { id: user.id, name: user.name, email: user.email },
      requestedBy: { id: requestedBy, name: requester ?? '' },
      decidedBy: decidedBy === null ? null : { id: decidedBy, name: decider ?? '' },
      createdAt: row.createdAt.toISOString(),
      expiresAt: row.expiresAt.toISOString(),
      decidedAt: row.decidedAt?.toISOString() ?? null,
    }
  })
  return { items, nextCursor }
}
