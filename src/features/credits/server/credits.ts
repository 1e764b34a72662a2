import { auditAccounts } from './audit-accounts.ts'
import { creditBalance, fallsBelowLowMark } from './balance.ts'
import { charge } from './charge.ts'
import { extendUnlimited, grant } from './grant.ts'
import { unitPrice, unitPrices } from './prices.ts'
import { refund } from './refund.ts'
import { resetUnlimited, takeBackCredits } from './take-back.ts'

export type { Charged } from './charge.ts'

export const credits = {
  auditAccounts,
  balance: creditBalance,
  charge,
  extendUnlimited,
  grant,
  refund,
  resetUnlimited,
  fallsBelowLowMark,
  takeBackCredits,
  unitPrice,
  unitPrices,
}
