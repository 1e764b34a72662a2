import { orderEvents } from './events.ts'
import { billingMails } from './mails.ts'
import { billingMetrics } from './metrics.ts'
import { personalData } from './personal-data.ts'
import { billingPushes } from './pushes.ts'
import { checkStates } from './reconciliation/billing-checks.ts'
import { workBilling } from './work-billing.ts'

/** What other features and the server may do with billing. */
export const billing = {
  checkStates,
  events: orderEvents,
  mails: billingMails,
  metrics: billingMetrics,
  personalData,
  pushes: billingPushes,
  work: workBilling,
}
