export { balanceQuery } from './balance.ts'
export { CreditMark } from './credit-mark.tsx'
