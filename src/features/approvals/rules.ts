import type { Permission } from '#contract/roles.ts'

/** Acts of staff that a second member of staff confirms where they are worth much. */
export const approvalKinds = ['credit_adjustment', 'order_confirmation', 'voucher_creation', 'voucher_change'] as const
export type ApprovalKind = (typeof approvalKinds)[number]

/** `expired`: no decision was made in time. */
export const approvalStatuses = ['waiting', 'approved', 'refused', 'expired'] as const
export type ApprovalStatus = (typeof approvalStatuses)[number]

/** Units in which the worth of an action is counted. */
export const approvalUnits = ['credits', 'idr'] as const
export type ApprovalUnit = (typeof approvalUnits)[number]

/** The permission that asking for an act and confirming it need. */
export const approvalPermission: Record<ApprovalKind, Permission> = {
  credit_adjustment: 'credits',
  order_confirmation: 'money',
  voucher_creation: 'shop',
  voucher_change: 'shop',
}

/** Days after which an approval that waits has expired. */
export const approvalDays = 7

/** Above these a second person confirms, unless the operator sets other sums. */
export const defaultThresholds: Record<ApprovalUnit, number> = { credits: 10_000, idr: 10_000_000 }
