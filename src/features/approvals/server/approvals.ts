import type { Output } from '#server/http/route.ts'
import { waitingApproval } from '../schemas.ts'
import { requireApproval } from './decide-approval.ts'

export type { ApprovalAction, ApprovalActions } from './decide-approval.ts'

export const waitsForApproval = {
  202: ['Waiting for approval by a second member of staff', waitingApproval],
} satisfies Output
export const approvalErrors = ['approval.waiting', 'approval.no_second_person', 'idempotency.reused'] as const

export const approvals = { require: requireApproval }
