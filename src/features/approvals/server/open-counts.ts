import { inArray, type SQL, sql } from 'drizzle-orm'
import { type ApprovalKind, approvalPermission } from '../rules.ts'
import { approvals } from './table.ts'

const waiting = (now: Date, kinds: ApprovalKind[]): SQL =>
  sql`select count(*) from ${approvals} where ${approvals.status} = 'waiting' and ${inArray(approvals.kind, kinds)}
    and ${approvals.expiresAt} > ${now.toISOString()}::timestamptz`

/** Shown to staff who may confirm them. */
function openCount(...kinds: [ApprovalKind, ...ApprovalKind[]]) {
  const needs = approvalPermission[kinds[0]]
  return { count: (now: Date) => waiting(now, kinds), needs, notice: needs }
}

export const openCounts = {
  creditApprovals: openCount('credit_adjustment'),
  orderApprovals: openCount('order_confirmation'),
  voucherApprovals: openCount('voucher_creation', 'voucher_change'),
}
