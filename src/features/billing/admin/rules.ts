export const orderSorts = ['newest', 'oldest', 'dearest', 'cheapest'] as const
export type OrderSort = (typeof orderSorts)[number]

export const voucherSorts = ['newest', 'oldest', 'code', 'code_down'] as const
export type VoucherSort = (typeof voucherSorts)[number]
