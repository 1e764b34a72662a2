import { receiptFile } from './receipt.ts'
import { workBilling } from './work-billing.ts'

/** What other features and the server may do with billing. */
export const billing = { receiptFile, work: workBilling }
