/** Older clients and stored addresses still send `dearest` and `cheapest`. */
export const orderSorts = ['newest', 'oldest', 'total_desc', 'total_asc', 'dearest', 'cheapest'] as const
export type OrderSort = (typeof orderSorts)[number]

export const voucherSorts = ['newest', 'oldest', 'code', 'code_down'] as const
export type VoucherSort = (typeof voucherSorts)[number]
