/** The monthly packages (specification §9); `credits` null is unlimited. */
export const packages = [
  { id: 'STARTER', dollars: 10, credits: 499 },
  { id: 'BASIC', dollars: 25, credits: 1499 },
  { id: 'PREMIUM', dollars: 50, credits: null },
] as const

/** Rupiah for a dollar as the operator's default has it. */
const rupiahPerDollar = 16_500

export const rupiahOf = (dollars: number) => dollars * rupiahPerDollar
