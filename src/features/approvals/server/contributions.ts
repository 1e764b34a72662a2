import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { jsonFile, type PersonalData } from '#server/account-hooks.ts'
import { requirePermission } from '#server/auth/require-user.ts'
import { users } from '#server/auth/table.ts'
import { type Key, keyset } from '#server/db/keyset.ts'
import type { Deps } from '#server/deps.ts'
import { type CsvColumns, listResponse, toWesternIndonesianTime } from '#server/http/csv.ts'
import { route } from '#server/http/route.ts'
import { pathId } from '#server/http/validate.ts'
import type { Page, PageRequest } from '#shared/paging.ts'
import type { Staff } from '#shared/roles.ts'
import { type ApprovalKind, approvalKinds, approvalPermission } from '../rules.ts'
import { type ApprovalView, approvalPage, decideApprovalInput, listApprovalsInput } from '../schemas.ts'
import { type ApprovalActions, decideApproval, expireApprovals, mayDecide } from './decide-approval.ts'
import { approvals } from './table.ts'

const personalData: PersonalData = {
  async *archive({ db }, { userId }) {
    const { kind, status, unit, amount, reason, createdAt, decidedAt } = approvals
    const found = await db
      .select({ kind, status, unit, amount, reason, createdAt, decidedAt })
      .from(approvals)
      .where(eq(approvals.userId, userId))
      .orderBy(asc(approvals.id))
    yield jsonFile('approvals.json', found)
  },

  /** The action stays on record without its text; a waiting one expires with the account. */
  async erase(tx, { userId, now }) {
    await tx
      .update(approvals)
      .set({
        reason: '',
        request: {},
        status: sql`case when ${approvals.status} = 'waiting' then 'expired'::approval_status else ${approvals.status} end`,
        decidedAt: sql`coalesce(${approvals.decidedAt}, ${now.toISOString()}::timestamptz)`,
      })
      .where(eq(approvals.userId, userId))
    return []
  },
}

const waiting = (now: Date, kinds: ApprovalKind[]): SQL =>
  sql`select count(*) from ${approvals} where ${approvals.status} = 'waiting' and ${inArray(approvals.kind, kinds)}
    and ${approvals.expiresAt} > ${now.toISOString()}::timestamptz`

/** Shown to staff who may confirm them. */
function openCount(...kinds: [ApprovalKind, ...ApprovalKind[]]) {
  const needs = approvalPermission[kinds[0]]
  return { count: (now: Date) => waiting(now, kinds), needs, notice: needs }
}

const openCounts = {
  creditApprovals: openCount('credit_adjustment'),
  orderApprovals: openCount('order_confirmation'),
  voucherApprovals: openCount('voucher_creation', 'voucher_change'),
}

export const approvalContributions = {
  openCounts,
  personalData,
  work: (deps: Deps) => deps.jobs.every('expire-approvals', 3600, () => expireApprovals(deps)),
}

// Ids are time-ordered (UUIDv7).
const key: Key<{ row: typeof approvals.$inferSelect }> = { column: approvals.id, type: 'uuid', of: ({ row }) => row.id }
const orders = {
  newest: keyset('approvals:newest', 'descending', [key]),
  oldest: keyset('approvals:oldest', 'ascending', [key]),
}

/** Only those the reader may decide about: waiting ones oldest first, others newest first. */
async function listApprovals(
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

const columns: CsvColumns<ApprovalView> = {
  id: ({ id }) => id,
  at_wib: ({ createdAt }) => toWesternIndonesianTime(createdAt),
  kind: ({ kind }) => kind,
  status: ({ status }) => status,
  amount: ({ amount }) => amount,
  unit: ({ unit }) => unit,
  name: ({ user }) => user?.name ?? null,
  email: ({ user }) => user?.email ?? null,
  subject: ({ subject }) => subject,
  reason: ({ reason }) => reason,
  requested_by: ({ requestedBy }) => requestedBy.name,
  decided_by: ({ decidedBy }) => decidedBy?.name ?? null,
  decided_at_wib: ({ decidedAt }) => toWesternIndonesianTime(decidedAt),
  answer: ({ answer }) => answer,
}

export function approvalRoutes(deps: Deps, actions: ApprovalActions) {
  const staff = requirePermission(deps, 'approvals')
  return [
    route('listApprovals', 'GET /admin/approvals', staff, {
      summary: 'Staff actions that wait for approval: waiting ones oldest first, others newest first',
      input: { query: listApprovalsInput },
      output: { 200: ['One page of results', approvalPage] },
      handler: (c) =>
        listResponse(c, 'approvals', columns, (page) => listApprovals(deps, c.var.user, c.req.valid('query'), page)),
    }),
    route('decideApproval', 'POST /admin/approvals/:id', staff, {
      summary:
        'Approve or decline an action requested by another member of staff; takes effect immediately once approved',
      input: { json: decideApprovalInput },
      output: { 204: 'Decided' },
      errors: [
        'approval.not_found',
        'approval.own',
        'account.not_found',
        'approval.expired',
        'approval.final',
        'approval.requester_changed',
      ],
      handler: async (c) => {
        const { accept, reason } = c.req.valid('json')
        const id = pathId(c, 'approval.not_found')
        await decideApproval(deps, actions, { id, staff: c.var.user, accept, reason })
      },
    }),
  ]
}
