import { orderEvents } from './events.ts'
import { billingMails } from './mails.ts'
import { billingMetrics } from './metrics.ts'
import { orderApproval } from './orders/decide-order.ts'
import { gatewayChecks } from './payments/gateway-health.ts'
import { personalData } from './personal-data.ts'
import { currentRate } from './prices/packages.ts'
import { billingPushes } from './pushes.ts'
import { checkStates } from './reconciliation/billing-checks.ts'
import { creditCostIdr } from './reports/credit-cost.ts'
import { closeRevenueDays } from './reports/revenue-by-day.ts'
import { voucherApprovals } from './vouchers/admin-vouchers.ts'
import { workBilling } from './work-billing.ts'

export const billing = {
  approvalActions: { order_confirmation: orderApproval, ...voucherApprovals },
  checkStates,
  closeRevenueDays,
  creditCostIdr,
  currentRate,
  events: orderEvents,
  gatewayChecks,
  mails: billingMails,
  metrics: billingMetrics,
  personalData,
  pushes: billingPushes,
  work: workBilling,
}
