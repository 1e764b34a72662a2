/** The last two are former names of `total_desc` and `total_asc`, for clients that still send them. */
export const orderSorts = ['newest', 'oldest', 'total_desc', 'total_asc', 'dearest', 'cheapest'] as const
export type OrderSort = (typeof orderSorts)[number]

export const voucherSorts = ['newest', 'oldest', 'code', 'code_down'] as const
export type VoucherSort = (typeof voucherSorts)[number]
