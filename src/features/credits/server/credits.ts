import { creditApproval } from './adjust.ts'
import { auditAccounts } from './audit-accounts.ts'
import { creditBalance } from './balance.ts'
import { charge } from './charge.ts'
import { daysAfter } from './days.ts'
import { creditEvents } from './events.ts'
import { expireAllLots } from './expire-all-lots.ts'
import { extendUnlimited } from './extend-unlimited.ts'
import { fallsBelowLowMark } from './falls-below-low-mark.ts'
import { grant } from './grant.ts'
import { grantWelcome } from './grant-welcome.ts'
import { creditMetrics } from './metrics.ts'
import { personalData } from './personal-data.ts'
import { unitPrice, unitPrices } from './prices.ts'
import { refund } from './refund.ts'
import { spentSince } from './spent.ts'
import { resetUnlimited, takeBackCredits } from './take-back.ts'

export type { Charged } from './charge.ts'

export const credits = {
  approvalAction: creditApproval,
  auditAccounts,
  balance: creditBalance,
  charge,
  daysAfter,
  events: creditEvents,
  expireAllLots,
  extendUnlimited,
  grant,
  grantWelcome,
  metrics: creditMetrics,
  personalData,
  refund,
  resetUnlimited,
  fallsBelowLowMark,
  spentSince,
  takeBackCredits,
  unitPrice,
  unitPrices,
}
