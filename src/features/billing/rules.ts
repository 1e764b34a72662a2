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
