// Interface of credits for other features' screens.
export { balanceQuery, followCredits } from './balance.ts'
export { CreditMark } from './credit-mark.tsx'
