import { requirePermission } from '#server/auth/require-user.ts'
import type { Deps } from '#server/deps.ts'
import { type CsvColumns, listResponse, toWesternIndonesianTime } from '#server/http/csv.ts'
import { pathId } from '#server/http/path-id.ts'
import { route } from '#server/http/route.ts'
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
