import { Hono } from 'hono'
import { requirePermission } from '#server/auth/require-user.ts'
import type { Deps } from '#server/deps.ts'
import { type CsvColumns, csvResponse, toWesternIndonesianTime, wantsCsv } from '#server/http/csv.ts'
import { documented, respondsWith } from '#server/http/documented.ts'
import type { UserEnv } from '#server/http/env.ts'
import { pathId } from '#server/http/path-id.ts'
import { jsonOnly, valid, validJson } from '#server/http/validate.ts'
import { type ApprovalView, approvalPage, decideApprovalInput, listApprovalsInput } from '../schemas.ts'
import { type ApprovalActions, decideApproval } from './decide-approval.ts'
import { listApprovals } from './list-approvals.ts'

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
  return new Hono<UserEnv>()
    .get(
      '/admin/approvals',
      documented(
        'Staff actions that wait for approval: waiting ones oldest first, others newest first',
        respondsWith(200, 'One page of results', approvalPage),
      ),
      staff,
      valid('query', listApprovalsInput),
      async (c) => {
        const query = c.req.valid('query')
        if (!wantsCsv(c)) return c.json(await listApprovals(deps, c.var.user, query))
        return csvResponse(c, 'approvals', columns, (page) => listApprovals(deps, c.var.user, query, page))
      },
    )
    .post(
      '/admin/approvals/:id',
      documented(
        'Approve or decline an action requested by another member of staff; takes effect immediately once approved',
        respondsWith(204, 'Decided'),
      ),
      staff,
      jsonOnly,
      validJson(decideApprovalInput),
      async (c) => {
        const { accept, reason } = c.req.valid('json')
        const id = pathId(c, 'approval.not_found')
        await decideApproval(deps, actions, { id, staff: c.var.user, accept, reason })
        return c.body(null, 204)
      },
    )
}
