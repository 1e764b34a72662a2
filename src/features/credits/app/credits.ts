export { balanceQuery, followCredits } from './balance.ts'
export { CreditMark } from './credit-mark.tsx'
