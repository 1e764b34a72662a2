export const orderStatus = { awaiting: 0, unpaid: 1, paid: 2, cancelled: 3 } as const
export type OrderStatus = (typeof orderStatus)[keyof typeof orderStatus]

export const isOpenOrder = ({ status }: { status: OrderStatus }): boolean =>
  status === orderStatus.awaiting || status === orderStatus.unpaid

export const voucherKinds = ['free_credits', 'percent_off', 'amount_off'] as const
export type VoucherKind = (typeof voucherKinds)[number]

/** The operator chooses with PAYMENTS. */
export const driverIds = ['simulator', 'manual', 'xendit'] as const
export type DriverId = (typeof driverIds)[number]

export const orderActors = ['buyer', 'gateway', 'admin', 'system'] as const
export type OrderActor = (typeof orderActors)[number]

export const attemptStatuses = ['creating', 'open', 'failed', 'paid', 'expired', 'cancelled'] as const
export type AttemptStatus = (typeof attemptStatuses)[number]

/** Problems of a received payment that pays for nothing; an admin must decide. */
export const paymentProblems = ['wrong_amount', 'wrong_currency', 'paid_again', 'account_deleted'] as const
export type PaymentProblem = (typeof paymentProblems)[number]

/** Per user. */
export const maxOpenOrders = 5

export const voucherDays = 90

/** With this rate the most expensive package fits an order's columns. */
export const maxIdrPerUsd = 100_000

/** Limit of the columns. */
export const maxOrderIdr = 2_147_483_647

/** In US cents; `maxVoucher` limits value and uses of a voucher. */
export const maxPackageCents = 1_000_000
export const maxVoucher = 100_000_000
export const voucherCodeMax = 64

/** Returns `+62…` from common notations; null if invalid. */
export function toMobileNumber(text: string): string | null {
  const number = text.replace(/[\s.-]/g, '').replace(/^(\+?62|0)(?=8)/, '+62')
  return /^\+628\d{7,12}$/.test(number) ? number : null
}

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

/**
 * Effective rate of PPN, Indonesia's value added tax, in percent: PMK 131/2024 taxes 11/12 of the
 * price by 12 %.
 */
export const ppnPercent = 11

/** PPN contained in a total, in whole rupiah; the price without it is rounded half up. */
export function includedPpn(totalIdr: number, percent: number | null): number {
  return percent === null ? 0 : totalIdr - Math.round((totalIdr * 100) / (100 + percent))
}

/** Returns the 16 digits of a tax number in common notations; null if invalid. */
export function toNpwp(text: string): string | null {
  const digits = text.replace(/[\s.-]/g, '')
  if (!/^\d{15,16}$/.test(digits) || /^0+$/.test(digits)) return null
  // A number of 15 digits became one of 16 by a leading zero.
  return digits.padStart(16, '0')
}

/** Company for which the buyer wants the invoice. */
export interface InvoiceBuyer {
  company: string
  /** 16 digits. */
  npwp: string
  address: string
}
