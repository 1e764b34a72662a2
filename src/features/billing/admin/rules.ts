/** Older clients and stored addresses still send `dearest` and `cheapest`. */
export const orderSorts = ['newest', 'oldest', 'total_desc', 'total_asc', 'dearest', 'cheapest'] as const
export type OrderSort = (typeof orderSorts)[number]

/** `any` for refunded in whole or in part. */
export const refundStates = ['any', 'partly', 'fully'] as const
export type RefundState = (typeof refundStates)[number]

/** Orders that staff choose from a list, for one action. */
export const maxChosenOrders = 50

export const voucherSorts = ['newest', 'oldest', 'code', 'code_down'] as const
export type VoucherSort = (typeof voucherSorts)[number]
