import { billingTimeline, closeDays, ledgerDuring, openCounts, orderSummary, ordersDuring } from './admin-sources.ts'
import { orderEvents } from './events.ts'
import { billingMails } from './mails.ts'
import { billingMetrics } from './metrics.ts'
import { orderApproval } from './orders/decide-order.ts'
import { gatewayChecks } from './payments/gateway-health.ts'
import { personalData } from './personal-data.ts'
import { billingPushes } from './pushes.ts'
import { checkStates } from './reconciliation/billing-checks.ts'
import { voucherApprovals } from './vouchers/admin-vouchers.ts'
import { workBilling } from './work-billing.ts'

export const billing = {
  approvalActions: { order_confirmation: orderApproval, ...voucherApprovals },
  checkStates,
  closeDays,
  events: orderEvents,
  gatewayChecks,
  ledgerDuring,
  mails: billingMails,
  metrics: billingMetrics,
  openCounts,
  orderSummary,
  ordersDuring,
  personalData,
  pushes: billingPushes,
  timeline: billingTimeline,
  work: workBilling,
}
