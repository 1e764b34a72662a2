// What other features' screens may use of credits.
export { balanceQuery, followCredits } from './balance.ts'
export { CreditMark } from './credit-mark.tsx'
