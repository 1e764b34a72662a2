// What other features' screens may use of credits.
export { balanceQuery } from './balance.ts'
