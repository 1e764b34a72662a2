import { type } from 'arktype'
import { fromMoment, untilMoment } from '#contract/moment.ts'
import { pageSize } from '#contract/paging.ts'
import { ledgerKinds } from '#features/credits/contract.ts'
import { methodIds } from './methods.ts'

/** Order status codes of the specification: awaiting confirmation, unpaid, paid, cancelled. */
export const orderStatus = { awaiting: 0, unpaid: 1, paid: 2, cancelled: 3 } as const
export type OrderStatus = (typeof orderStatus)[keyof typeof orderStatus]

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

const voucherCode = type('string.trim').to('1 <= string <= 64')
const packageId = type('1 <= string <= 40')
const accepted = type('unknown').narrow(
  (value, context): value is true => value === true || context.mustBe('checkout.mustAccept'),
)

/** An Indonesian mobile number as people write it; leaves as `+62…`. */
const mobileNumber = type('string.trim')
  .pipe((text) => text.replace(/[\s.-]/g, '').replace(/^(\+?62|0)(?=8)/, '+62'))
  .to(/^\+628\d{7,12}$/)

/** POST /api/vouchers/verify */
export const verifyVoucherInput = /* @__PURE__ */ type({ code: voucherCode, 'packageId?': packageId.or('null') })

/** POST /api/orders; without a package the voucher has to give credits by itself. A method is needed unless nothing is left to pay. */
export const createOrderInput = /* @__PURE__ */ type({
  'packageId?': packageId.or('null'),
  'voucherCode?': voucherCode.or('null'),
  'method?': type.enumerated(...methodIds).or('null'),
  'mobileNumber?': mobileNumber.or('null'),
  acceptPrivacy: accepted,
  acceptTerms: accepted,
})

/** POST /api/orders/{id}/pay_again; the same method and mobile number as before unless others are given. */
export const payAgainInput = /* @__PURE__ */ type({
  'method?': type.enumerated(...methodIds).or('null'),
  'mobileNumber?': mobileNumber.or('null'),
})

/** GET /api/orders */
export const listOrdersInput = /* @__PURE__ */ type({ 'cursor?': 'string.uuid', 'limit?': pageSize })

/** GET /api/admin/orders; `status` 0 and `driver` manual are the transfers that wait for somebody to look. */
export const listAdminOrdersInput = /* @__PURE__ */ type({
  'status?': "'0' | '1' | '2' | '3'",
  'driver?': type.enumerated(...driverIds),
  'user?': 'string.uuid',
  /** Orders that hold this voucher or were paid with it. */
  'voucher?': 'string.uuid',
  /** A receipt's number, an order's id, or beginnings of words of the buyer's name and address. */
  'search?': type('string.trim').to('string <= 320'),
  /** Money came that it could not take, and nobody has taken care of it yet. */
  'problem?': "'true'",
  'sort?': "'newest' | 'oldest'",
  'cursor?': 'string.uuid',
  'limit?': pageSize,
})

const ledgerCursor = type('string.integer.parse').to('1 <= number <= 9007199254740991')

/** GET /api/user/ledger */
export const listLedgerInput = /* @__PURE__ */ type({
  'cursor?': ledgerCursor,
  'limit?': pageSize,
})

const reason = type('string.trim').to('1 <= string <= 500')
/** The version that was read: when it is another one by now, the change is refused with `change.outdated`. */
const seen = type('number.integer >= 0')
const validFrom = fromMoment.or('null')
const validUntil = untilMoment.or('null')
const voucherLimit = type('1 <= number.integer <= 100000000').or('null')
/** The most credits that one package or voucher gives. */
const maxCredits = 10_000_000

/** POST /api/admin/orders/{id}/confirm and …/cancel; `status` is the one that the admin has seen. */
export const decideOrderInput = /* @__PURE__ */ type({
  reason,
  'status?': type.enumerated(...Object.values(orderStatus)),
})

/** POST /api/admin/payments/{id}/settle */
export const settlePaymentInput = /* @__PURE__ */ type({ reason })

/** POST /api/admin/billing_differences/settle: some of the payments and sessions which nobody here knows, or all of a kind. */
export const settleUnknownInput = /* @__PURE__ */ type({
  'keys?': type('1 <= string <= 400').array().atLeastLength(1).atMostLength(500),
  'what?': "'unknown_session' | 'unknown_payment'",
  reason,
}).narrow(
  ({ keys, what }, context) =>
    (keys === undefined) !== (what === undefined) ||
    context.reject({ path: ['keys'], expected: 'given, or else what' }),
)

/** POST /api/admin/vouchers; `value` is credits, percent, or whole rupiah, as the kind says. */
export const createVoucherInput = /* @__PURE__ */ type({
  code: type('string.trim').to(/^[A-Za-z0-9_-]{3,32}$/),
  kind: type.enumerated(...voucherKinds),
  value: '1 <= number.integer <= 100000000',
  days: '1 <= number.integer <= 3650 = 90',
  'validFrom?': validFrom,
  'validUntil?': validUntil,
  'limitTotal?': voucherLimit,
  'limitPerUser?': voucherLimit,
  active: 'boolean = true',
}).narrow(
  ({ kind, value, validFrom, validUntil }, context) =>
    (kind !== 'percent_off' || value <= 100 || context.reject({ path: ['value'], expected: 'at most 100' })) &&
    (kind !== 'free_credits' ||
      value <= maxCredits ||
      context.reject({ path: ['value'], expected: 'fewer credits' })) &&
    (!validFrom ||
      !validUntil ||
      validFrom < validUntil ||
      context.reject({ path: ['validUntil'], expected: 'later' })),
)

/** PATCH /api/admin/vouchers/{id}; what is left out stays. What a voucher gives cannot be changed: it was promised. */
export const editVoucherInput = /* @__PURE__ */ type({
  'validFrom?': validFrom,
  'validUntil?': validUntil,
  'limitTotal?': voucherLimit,
  'limitPerUser?': voucherLimit,
  'active?': 'boolean',
  'version?': seen,
}).narrow(({ version: _, ...change }, context) => Object.keys(change).length > 0 || context.mustBe('a change'))

/** GET /api/admin/vouchers; `code` finds those that begin with it. */
export const listVouchersInput = /* @__PURE__ */ type({
  'active?': "'true' | 'false'",
  'code?': 'string <= 64',
  'cursor?': 'string.uuid',
  'limit?': pageSize,
})

/** GET /api/admin/ledger: everybody's entries, newest first. */
export const listAllLedgerInput = /* @__PURE__ */ type({
  'userId?': 'string.uuid',
  'email?': 'string <= 320',
  'kind?': type.enumerated(...ledgerKinds),
  'from?': fromMoment,
  'to?': untilMoment,
  'cursor?': ledgerCursor,
  'limit?': pageSize,
})

/** PUT /api/admin/packages/{id}; counts from the next order on. */
export const setPackageInput = /* @__PURE__ */ type({
  name: type('string.trim').to('1 <= string <= 40'),
  cents: '1 <= number.integer <= 1000000',
  credits: type('1 <= number.integer <= 10000000').or('null'),
  days: '1 <= number.integer <= 3650',
  position: '0 <= number.integer <= 1000',
  active: 'boolean = true',
  'version?': seen,
})

/** The highest rate: at it the dearest package still fits what an order can hold. */
export const maxIdrPerUsd = 100_000

/** PUT /api/admin/idr_rate; counts from the next order on. */
export const setRateInput = /* @__PURE__ */ type({
  idrPerUsd: type.number.divisibleBy(1).atLeast(1).atMost(maxIdrPerUsd),
  'version?': seen,
})

/** POST /api/admin/claims/{id} */
export const decideClaimInput = /* @__PURE__ */ type({ accept: 'boolean' })

/** A package on sale. `credits` is null when it is unlimited. */
export interface PackageView {
  id: string
  name: string
  /** Price in US cents. */
  cents: number
  /** The same in whole rupiah, at the rate of now. */
  idr: number
  credits: number | null
  days: number
}

/** GET /api/packages */
export interface PackageList {
  items: PackageView[]
  idrPerUsd: number
}

/** GET /api/payment_methods; limits in whole rupiah. */
export interface PaymentMethodView {
  id: (typeof methodIds)[number]
  name: string
  image: string
  kind: 'bank' | 'qris' | 'wallet'
  min: number
  max: number
  /** Seconds in which an order has to be paid. */
  expiresInSeconds: number
  /** Seconds that the buyer has to approve a payment in the wallet's app, where that is short. */
  approvalSeconds: number | null
  /** The buyer is asked for the mobile number of the wallet. */
  asksMobileNumber: boolean
  driver: DriverId
}

/** 200 of POST /api/vouchers/verify: what the voucher changes; amounts in whole rupiah. */
export interface VoucherPreview {
  code: string
  kind: VoucherKind
  /** Credits that come with it, else 0. */
  credits: number
  subtotalIdr: number
  discountIdr: number
  totalIdr: number
}

/** How to pay an open order. `url` is the page to go to; the other parts are there where the driver knows them. */
export interface PaymentView {
  driver: DriverId
  status: 'creating' | 'open' | 'failed'
  url: string | null
  vaNumber: string | null
  qrContent: string | null
  account: { bank: string; number: string; holder: string } | null
  expiresAt: string | null
}

/** A change of an order's status; `from` is null when it was created. */
export interface OrderChange {
  from: OrderStatus | null
  to: OrderStatus
  by: OrderActor
  /** A key such as `expired`, or what an admin wrote. */
  reason: string
  at: string
}

/** An order in every answer; times are ISO 8601 in UTC, amounts whole rupiah frozen when it was placed. */
export interface OrderView {
  id: string
  status: OrderStatus
  package: { id: string; name: string; cents: number; credits: number | null; days: number } | null
  voucher: { code: string; kind: VoucherKind; credits: number } | null
  idrPerUsd: number
  subtotalIdr: number
  discountIdr: number
  totalIdr: number
  method: (typeof methodIds)[number] | null
  payment: PaymentView | null
  receiptNumber: string | null
  /** Money came that it could not take, and nobody has taken care of it yet. */
  moneyProblem: PaymentProblem | null
  /** The buyer has sent a proof of his transfer. */
  proofSent: boolean
  canCancel: boolean
  canPayAgain: boolean
  canReportTransfer: boolean
  createdAt: string
  expiresAt: string | null
  paidAt: string | null
  history: OrderChange[]
}

/** An order as admins see it. */
export interface AdminOrderView extends OrderView {
  buyer: { id: string; name: string; email: string }
  driver: DriverId | null
  /** Money that arrived; with a problem it paid for nothing. */
  payments: {
    id: string
    amount: number
    currency: string
    problem: PaymentProblem | null
    receivedAt: string
    /** How an admin took care of the problem. */
    settlement: string | null
  }[]
}

/** An entry of the credit history with what it was about. */
export interface LedgerEntryView {
  id: number
  kind: 'purchase' | 'voucher' | 'welcome' | 'generation' | 'refund' | 'adjustment' | 'expiry'
  amount: number
  balanceAfter: number
  /** The generation was covered by an unlimited package. */
  unlimited: boolean
  note: string | null
  createdAt: string
  generation: { id: string; tool: string; thumbnailUrl: string | null } | null
  order: { id: string; packageName: string | null; voucherCode: string | null; receiptNumber: string | null } | null
}

/** An entry of anybody's credit history, as admins see it. */
export const adminLedgerEntry = /* @__PURE__ */ type({
  id: 'number.integer',
  user: { id: 'string', name: 'string', email: 'string' },
  kind: type.enumerated(...ledgerKinds),
  amount: 'number.integer',
  balanceAfter: 'number.integer',
  unlimited: 'boolean',
  tool: 'string | null',
  note: 'string | null',
  subjectId: type('string | null').describe('the generation, order or lot that it is about'),
  createdAt: 'string',
})
export type AdminLedgerEntry = typeof adminLedgerEntry.infer

/** GET /api/admin/packages: the newest version of a package is the one that counts; `by` is an admin's id. */
export const priceHistory = /* @__PURE__ */ type({
  items: type({
    id: 'string',
    versions: type({
      version: 'number.integer',
      name: 'string',
      cents: 'number.integer',
      credits: 'number.integer | null',
      days: 'number.integer',
      position: 'number.integer',
      active: 'boolean',
      at: 'string',
      by: 'string | null',
    }).array(),
  }).array(),
  idrPerUsd: 'number.integer',
  rateVersion: type('number.integer').describe('0 as long as the rate is that of the configuration'),
  rates: type({ idrPerUsd: 'number.integer', at: 'string', by: 'string | null' }).array(),
})
export type PriceHistory = typeof priceHistory.infer

/** A voucher as admins see it. */
export const voucherView = /* @__PURE__ */ type({
  id: 'string',
  code: 'string',
  kind: type.enumerated(...voucherKinds),
  value: type('number.integer').describe('credits, percent, or whole rupiah, as the kind says'),
  days: 'number.integer',
  validFrom: 'string | null',
  validUntil: 'string | null',
  limitTotal: 'number.integer | null',
  limitPerUser: 'number.integer | null',
  uses: type('number.integer').describe('orders that hold it or were paid with it'),
  active: 'boolean',
  version: 'number.integer',
  createdAt: 'string',
  createdBy: 'string | null',
})
export type VoucherView = typeof voucherView.infer
