import { checkStates } from './billing-checks.ts'
import { refusalReason } from './decide-order.ts'
import { orderEvents } from './events.ts'
import { personalData } from './personal-data.ts'
import { receiptFile } from './receipt.ts'
import { workBilling } from './work-billing.ts'

/** What other features and the server may do with billing. */
export const billing = {
  checkStates,
  events: orderEvents,
  personalData,
  receiptFile,
  refusalReason,
  work: workBilling,
}
