/** Status codes of an order in API and database. */
export const orderStatus = { awaiting: 0, unpaid: 1, paid: 2, cancelled: 3 } as const
export type OrderStatus = (typeof orderStatus)[keyof typeof orderStatus]

/** True if an order is neither paid nor cancelled. */
export const isOpenOrder = ({ status }: { status: OrderStatus }): boolean =>
  status === orderStatus.awaiting || status === orderStatus.unpaid

/** Kinds of vouchers: credits, a percentage off, or an amount of rupiah off. */
export const voucherKinds = ['free_credits', 'percent_off', 'amount_off'] as const
export type VoucherKind = (typeof voucherKinds)[number]

/** Payment drivers; the operator chooses with PAYMENTS. */
export const driverIds = ['simulator', 'manual', 'xendit'] as const
export type DriverId = (typeof driverIds)[number]

/** Actors of order changes. */
export const orderActors = ['buyer', 'gateway', 'admin', 'system'] as const
export type OrderActor = (typeof orderActors)[number]

/** Problems of a received payment that pays for nothing; an admin must decide. */
export const paymentProblems = ['wrong_amount', 'wrong_currency', 'paid_again', 'account_deleted'] as const
export type PaymentProblem = (typeof paymentProblems)[number]

/** Most orders of a user awaiting payment. */
export const maxOpenOrders = 5

/** Default validity of a voucher's credits in days. */
export const voucherDays = 90

/** Highest rate: with it the most expensive package fits an order's columns. */
export const maxIdrPerUsd = 100_000

/** Largest order in rupiah: limit of its columns. */
export const maxOrderIdr = 2_147_483_647

/** Most expensive package in US cents, and largest value and limits of a voucher. */
export const maxPackageCents = 1_000_000
export const maxVoucher = 100_000_000
/** Longest voucher code in characters. */
export const voucherCodeMax = 64

/** An Indonesian mobile number as `+62…` from common notations; null if invalid. */
export function toMobileNumber(text: string): string | null {
  const number = text.replace(/[\s.-]/g, '').replace(/^(\+?62|0)(?=8)/, '+62')
  return /^\+628\d{7,12}$/.test(number) ? number : null
}
