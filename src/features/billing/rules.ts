/** Codes of an order's status, as the API and the database have them. */
export const orderStatus = { awaiting: 0, unpaid: 1, paid: 2, cancelled: 3 } as const
export type OrderStatus = (typeof orderStatus)[keyof typeof orderStatus]

/** Whether an order is neither paid nor cancelled. */
export const isOpenOrder = ({ status }: { status: OrderStatus }): boolean =>
  status === orderStatus.awaiting || status === orderStatus.unpaid

/** What a voucher gives: credits, a share of the price, or an amount of rupiah off it. */
export const voucherKinds = ['free_credits', 'percent_off', 'amount_off'] as const
export type VoucherKind = (typeof voucherKinds)[number]

/** Ways in which a payment can reach us; the operator picks with PAYMENTS. */
export const driverIds = ['simulator', 'manual', 'xendit'] as const
export type DriverId = (typeof driverIds)[number]

/** Who changed an order. */
export const orderActors = ['buyer', 'gateway', 'admin', 'system'] as const
export type OrderActor = (typeof orderActors)[number]

/** What can be wrong with money that arrived: it paid for nothing, and an admin has to decide. */
export const paymentProblems = ['wrong_amount', 'wrong_currency', 'paid_again', 'account_deleted'] as const
export type PaymentProblem = (typeof paymentProblems)[number]

/** Orders that a person may have waiting for payment. */
export const maxOpenOrders = 5

/** Days that a voucher's credits last unless the voucher says otherwise. */
export const voucherDays = 90

/** The highest rate: at it the dearest package still fits what an order can hold. */
export const maxIdrPerUsd = 100_000

/** The dearest order in rupiah: what its columns hold. */
export const maxOrderIdr = 2_147_483_647

/** The dearest package in US cents, and the largest value and limits of a voucher. */
export const maxPackageCents = 1_000_000
export const maxVoucher = 100_000_000
/** Longest code of a voucher in characters, as somebody types it. */
export const voucherCodeMax = 64

/** An Indonesian mobile number as `+62…`, from how people write it; null where it is none. */
export function toMobileNumber(text: string): string | null {
  const number = text.replace(/[\s.-]/g, '').replace(/^(\+?62|0)(?=8)/, '+62')
  return /^\+628\d{7,12}$/.test(number) ? number : null
}
