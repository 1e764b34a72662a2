import { pageSize, timeSort } from '#shared/paging.ts'
import { reason, type } from '#shared/schema.ts'
import { approvalKinds, approvalStatuses, approvalUnits } from './rules.ts'

const person = type({ id: 'string', name: 'string' })

/** Times are ISO 8601 in UTC. */
export const approvalView = type({
  id: 'string',
  kind: type.enumerated(...approvalKinds),
  status: type.enumerated(...approvalStatuses),
  unit: type.enumerated(...approvalUnits),
  amount: type('number.integer | null').describe('credits, negative if deducted; null if unlimited'),
  user: type({ id: 'string', name: 'string', email: 'string' }).or('null').describe('id of the affected account'),
  subject: type('string').describe('the order’s id, the voucher’s code or id, or the account’s id'),
  details: type({ '[string]': 'string | number | boolean | null' }).describe('the requested change'),
  reason: type('string').describe('reason of the request'),
  requestedBy: person,
  createdAt: 'string',
  expiresAt: 'string',
  decidedBy: person.or('null'),
  decidedAt: 'string | null',
  answer: type('string | null').describe('reason of the decision'),
})
export type ApprovalView = typeof approvalView.infer
export const approvalPage = type({ items: approvalView.array(), nextCursor: 'string | null' })

export const waitingApproval = type({ approval: { id: 'string', status: type.enumerated(...approvalStatuses) } })
export type WaitingApproval = typeof waitingApproval.infer

export const listApprovalsInput = type({
  'status?': type.enumerated(...approvalStatuses),
  'sort?': timeSort,
  'cursor?': 'string.uuid',
  'limit?': pageSize,
})

export const decideApprovalInput = type({ accept: 'boolean', reason })
