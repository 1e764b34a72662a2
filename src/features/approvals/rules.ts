import type { Permission } from '#shared/roles.ts'

export const approvalKinds = ['credit_adjustment', 'order_confirmation', 'voucher_creation', 'voucher_change'] as const
export type ApprovalKind = (typeof approvalKinds)[number]

/** `expired`: there was no decision in time. */
export const approvalStatuses = ['waiting', 'approved', 'refused', 'expired'] as const
export type ApprovalStatus = (typeof approvalStatuses)[number]

export const approvalUnits = ['credits', 'idr'] as const
export type ApprovalUnit = (typeof approvalUnits)[number]

/** For requesting and for confirming an action. */
export const approvalPermission: Record<ApprovalKind, Permission> = {
  credit_adjustment: 'credits',
  order_confirmation: 'money',
  voucher_creation: 'shop',
  voucher_change: 'shop',
}

export const approvalDays = 7

/** A second member of staff confirms greater amounts, unless the operator sets others. */
export const defaultThresholds: Record<ApprovalUnit, number> = { credits: 10_000, idr: 10_000_000 }
