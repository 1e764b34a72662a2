/** Sort keys of the list of orders: by age or by total. */
export const orderSorts = ['newest', 'oldest', 'dearest', 'cheapest'] as const
export type OrderSort = (typeof orderSorts)[number]

/** Sort keys of the list of vouchers: by age or by code. */
export const voucherSorts = ['newest', 'oldest', 'code', 'code_down'] as const
export type VoucherSort = (typeof voucherSorts)[number]
