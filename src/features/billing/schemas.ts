import { ledgerKinds } from '#features/credits/rules.ts'
import { pageFields, timeSort } from '#shared/paging.ts'
import { isoDateTime, reason, text, type } from '#shared/schema.ts'
import { methodIds } from './payment-methods.ts'
import {
  driverIds,
  orderActors,
  paymentProblems,
  toMobileNumber,
  toNpwp,
  voucherCodeMax,
  voucherKinds,
} from './rules.ts'

export const whole = 'number.integer'
const idr = type('number.integer').describe('whole rupiah')
export const cursor = type('string | null').describe('cursor of the next page; null on the last page')
export const method = type.enumerated(...methodIds)
export const driver = type.enumerated(...driverIds)
export const voucherKind = type.enumerated(...voucherKinds)
const status = type('0 | 1 | 2 | 3').describe('0 Menunggu Konfirmasi, 1 Belum Bayar, 2 Lunas, 3 Batal')
export const problem = type.enumerated(...paymentProblems).or('null')

export const packageView = type({
  id: 'string',
  name: 'string',
  cents: type('number.integer').describe('price in US cents'),
  idr: idr.describe('in whole rupiah at the current rate'),
  credits: type('number.integer | null').describe('null if unlimited'),
  days: whole,
})
export type PackageView = typeof packageView.infer
export const packageList = type({
  items: packageView.array(),
  idrPerUsd: whole,
  ppnPercent: type('number.integer | null').describe('rate of the PPN that prices include; null without PPN'),
})
export type PackageList = typeof packageList.infer

export const paymentMethodView = type({
  id: method,
  name: 'string',
  image: 'string',
  kind: "'bank' | 'qris' | 'wallet'",
  min: idr,
  max: idr,
  expiresInSeconds: type('number.integer').describe('time limit for paying an order'),
  approvalSeconds: type('number.integer | null').describe(
    "time limit for approving a payment in the wallet's app, if short",
  ),
  asksMobileNumber: type('boolean').describe('requires the mobile number of the wallet'),
  driver,
})
export type PaymentMethodView = typeof paymentMethodView.infer
export const paymentMethodList = type({ items: paymentMethodView.array() })

export const voucherPreview = type({
  code: 'string',
  kind: voucherKind,
  credits: type('number.integer').describe('included credits, else 0'),
  subtotalIdr: idr,
  discountIdr: idr,
  totalIdr: idr,
})
export type VoucherPreview = typeof voucherPreview.infer

export const paymentView = type({
  driver,
  status: "'creating' | 'open' | 'failed'",
  url: type('string | null').describe('external payment page, if one is needed'),
  vaNumber: type('string | null').describe('number of a virtual account'),
  qrContent: type('string | null').describe('content of a QR code'),
  account: type({ bank: 'string', number: 'string', holder: 'string' }).or('null'),
  expiresAt: 'string | null',
})
export type PaymentView = typeof paymentView.infer

export const orderChange = type({
  from: status.or('null').describe('null for the creation'),
  to: status,
  by: type.enumerated(...orderActors),
  reason: type('string').describe("a key such as `expired`, or an admin's note"),
  at: isoDateTime,
})

export const orderFields = {
  id: 'string',
  status,
  package: type({ id: 'string', name: 'string', cents: whole, credits: 'number.integer | null', days: whole }).or(
    'null',
  ),
  voucher: type({ code: 'string', kind: voucherKind, credits: whole }).or('null'),
  idrPerUsd: whole,
  subtotalIdr: idr,
  discountIdr: idr,
  transferDigits: idr.describe('unique digits that identify a manual transfer, part of the discount'),
  totalIdr: idr,
  ppnPercent: type('number.integer | null').describe('effective rate of the included PPN; null without PPN'),
  ppnIdr: idr.describe('PPN included in the total'),
  method: method.or('null'),
  payment: paymentView.or('null'),
  invoiceBuyer: type({ company: 'string', npwp: type('string').describe('16 digits'), address: 'string' }).or('null'),
  invoiceNumber: type('string | null').describe('such as `INV/2026/000123`, without gaps in a year'),
  receiptNumber: 'string | null',
  moneyProblem: problem.describe('has an unsettled payment that could not be applied'),
  proofSent: type('boolean').describe('the buyer sent a transfer proof'),
  canCancel: 'boolean',
  canPayAgain: 'boolean',
  canChangeInvoice: type('boolean').describe('the company on the invoice can still be set'),
  canReportTransfer: 'boolean',
  createdAt: isoDateTime,
  expiresAt: 'string | null',
  paidAt: 'string | null',
  history: orderChange.array(),
} as const
/** The amounts are frozen when the order is placed. */
export const orderView = type(orderFields)
export type OrderView = typeof orderView.infer
export const orderPage = type({ items: orderView.array(), nextCursor: cursor })

export const ledgerEntryView = type({
  id: whole,
  kind: type.enumerated(...ledgerKinds),
  amount: whole,
  balanceAfter: whole,
  unlimited: type('boolean').describe('the generation was covered by an unlimited package'),
  note: 'string | null',
  createdAt: isoDateTime,
  generation: type({ id: 'string', tool: 'string', thumbnailUrl: 'string | null' }).or('null'),
  order: type({
    id: 'string',
    packageName: 'string | null',
    voucherCode: 'string | null',
    receiptNumber: 'string | null',
  }).or('null'),
})
export type LedgerEntryView = typeof ledgerEntryView.infer
export const ledgerPage = type({ items: ledgerEntryView.array(), nextCursor: cursor })

const voucherCode = text(voucherCodeMax)
const packageId = type('1 <= string <= 40')
const accepted = type('unknown').narrow(
  (value, context): value is true => value === true || context.mustBe('checkout.mustAccept'),
)

const phone = type('string').pipe((written, context) => toMobileNumber(written) ?? context.error('a mobile number'))

export const verifyVoucherInput = type({ code: voucherCode, 'packageId?': packageId.or('null') })

/** Without a package the voucher must give credits; with a rest to pay a method is required. */
export const createOrderInput = type({
  'packageId?': packageId.or('null'),
  'voucherCode?': voucherCode.or('null'),
  'method?': type.enumerated(...methodIds).or('null'),
  'mobileNumber?': phone.or('null'),
  acceptPrivacy: accepted,
  acceptTerms: accepted,
})

/** Keeps method and mobile number unless others are given. */
export const payAgainInput = type({
  'method?': type.enumerated(...methodIds).or('null'),
  'mobileNumber?': phone.or('null'),
})

/** Null for an invoice in the user's own name. */
export const setInvoiceInput = type({
  buyer: type({
    company: type('string.trim').to('1 <= string <= 120'),
    npwp: type('string').pipe((written, context) => toNpwp(written) ?? context.error('a tax number')),
    address: type('string.trim').to('1 <= string <= 300'),
  }).or('null'),
})

export const listOrdersInput = type({ ...pageFields })

export const listLedgerInput = type({
  ...pageFields,
})

export const listRefundRequestsInput = type({
  status: "'waiting' | 'declined' | 'refunded' = 'waiting'",
  /** An id, or parts of a user's name and address. */
  'search?': 'string <= 320',
  /** Requests assigned to the caller. */
  'mine?': "'true'",
  'sort?': timeSort,
  ...pageFields,
})

/** The user reads the reason. */
export const decideRefundRequestInput = type({ accept: 'boolean', reason })

declare module '#features/events/types.ts' {
  interface ServerEvents {
    order: OrderView
  }
}
