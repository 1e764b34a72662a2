import { type } from '#contract/schema.ts'
import { ledgerKinds } from '#features/credits/contract.ts'
import { methodIds } from './methods.ts'
import { driverIds, orderActors, paymentProblems, voucherKinds } from './rules.ts'

// What the API of billing sends. The types in contract.ts are inferred from here, so that the app's
// bundles carry no schema library.

const moment = type('string').describe('ISO 8601 in UTC')
const whole = 'number.integer'
const idr = type('number.integer').describe('whole rupiah')
const cursor = type('string | null').describe('asks for the next page; null on the last one')
const method = type.enumerated(...methodIds)
const driver = type.enumerated(...driverIds)
const voucherKind = type.enumerated(...voucherKinds)
const status = type('0 | 1 | 2 | 3').describe('0 Menunggu Konfirmasi, 1 Belum Bayar, 2 Lunas, 3 Batal')
const problem = type.enumerated(...paymentProblems).or('null')

export const packageView = type({
  id: 'string',
  name: 'string',
  cents: type('number.integer').describe('price in US cents'),
  idr: idr.describe('the same in whole rupiah, at the rate of now'),
  credits: type('number.integer | null').describe('null when it is unlimited'),
  days: whole,
})
/** GET /api/packages */
export const packageList = type({ items: packageView.array(), idrPerUsd: whole })

/** One of GET /api/payment_methods */
export const paymentMethodView = type({
  id: method,
  name: 'string',
  image: 'string',
  kind: "'bank' | 'qris' | 'wallet'",
  min: idr,
  max: idr,
  expiresInSeconds: type('number.integer').describe('in which an order has to be paid'),
  approvalSeconds: type('number.integer | null').describe(
    'to approve a payment in the wallet’s app, where that is short',
  ),
  asksMobileNumber: type('boolean').describe('the buyer is asked for the mobile number of the wallet'),
  driver,
})
export const paymentMethodList = type({ items: paymentMethodView.array() })

/** 200 of POST /api/vouchers/verify: what the voucher changes. */
export const voucherPreview = type({
  code: 'string',
  kind: voucherKind,
  credits: type('number.integer').describe('credits that come with it, else 0'),
  subtotalIdr: idr,
  discountIdr: idr,
  totalIdr: idr,
})

/** How to pay an open order. */
export const paymentView = type({
  driver,
  status: "'creating' | 'open' | 'failed'",
  url: type('string | null').describe('the page to go to, where ours does not show all that is needed'),
  vaNumber: type('string | null').describe('number of a virtual account'),
  qrContent: type('string | null').describe('content of a QR code'),
  account: type({ bank: 'string', number: 'string', holder: 'string' }).or('null'),
  expiresAt: 'string | null',
})

/** A change of an order's status. */
export const orderChange = type({
  from: status.or('null').describe('null when it was created'),
  to: status,
  by: type.enumerated(...orderActors),
  reason: type('string').describe('a key such as `expired`, or what an admin wrote'),
  at: moment,
})

const orderFields = {
  id: 'string',
  status,
  package: type({ id: 'string', name: 'string', cents: whole, credits: 'number.integer | null', days: whole }).or(
    'null',
  ),
  voucher: type({ code: 'string', kind: voucherKind, credits: whole }).or('null'),
  idrPerUsd: whole,
  subtotalIdr: idr,
  discountIdr: idr,
  totalIdr: idr,
  method: method.or('null'),
  payment: paymentView.or('null'),
  receiptNumber: 'string | null',
  moneyProblem: problem.describe('money came that it could not take, and nobody has taken care of it yet'),
  proofSent: type('boolean').describe('the buyer has sent a proof of a transfer'),
  canCancel: 'boolean',
  canPayAgain: 'boolean',
  canReportTransfer: 'boolean',
  createdAt: moment,
  expiresAt: 'string | null',
  paidAt: 'string | null',
  history: orderChange.array(),
} as const
/** An order in every response and event; its amounts are frozen when it is placed. */
export const orderView = type(orderFields)
export const orderPage = type({ items: orderView.array(), nextCursor: cursor })

/** An order as admins see it. */
export const adminOrderView = type({
  ...orderFields,
  buyer: { id: 'string', name: 'string', email: 'string' },
  driver: driver.or('null'),
  payments: type({
    id: 'string',
    amount: whole,
    currency: 'string',
    problem: problem.describe('with one it paid for nothing'),
    receivedAt: moment,
    settlement: type('string | null').describe('how an admin took care of the problem'),
  }).array(),
})
export const adminOrderPage = type({ items: adminOrderView.array(), nextCursor: cursor })

/** An entry of the credit history with what it was about. */
export const ledgerEntryView = type({
  id: whole,
  kind: type.enumerated(...ledgerKinds),
  amount: whole,
  balanceAfter: whole,
  unlimited: type('boolean').describe('the generation was covered by an unlimited package'),
  note: 'string | null',
  createdAt: moment,
  generation: type({ id: 'string', tool: 'string', thumbnailUrl: 'string | null' }).or('null'),
  order: type({
    id: 'string',
    packageName: 'string | null',
    voucherCode: 'string | null',
    receiptNumber: 'string | null',
  }).or('null'),
})
export const ledgerPage = type({ items: ledgerEntryView.array(), nextCursor: cursor })

/** An entry of anybody's credit history, as admins see it. */
export const adminLedgerEntry = type({
  id: whole,
  user: { id: 'string', name: 'string', email: 'string' },
  kind: type.enumerated(...ledgerKinds),
  amount: whole,
  balanceAfter: whole,
  unlimited: 'boolean',
  tool: 'string | null',
  note: 'string | null',
  subjectId: type('string | null').describe('the generation, order or lot that it is about'),
  createdAt: 'string',
})
export const adminLedgerPage = type({ items: adminLedgerEntry.array(), nextCursor: cursor })

/**
 * GET /api/admin/packages: the newest version of a package is the one that counts; `by` is an
 * admin's id.
 */
export const priceHistory = type({
  items: type({
    id: 'string',
    versions: type({
      version: whole,
      name: 'string',
      cents: whole,
      credits: 'number.integer | null',
      days: whole,
      position: whole,
      active: 'boolean',
      at: 'string',
      by: 'string | null',
    }).array(),
  }).array(),
  idrPerUsd: whole,
  rateVersion: type('number.integer').describe('0 as long as the rate is that of the configuration'),
  rates: type({ idrPerUsd: whole, at: 'string', by: 'string | null' }).array(),
})

/** A voucher as admins see it. */
export const voucherView = type({
  id: 'string',
  code: 'string',
  kind: voucherKind,
  value: type('number.integer').describe('credits, percent, or whole rupiah, as the kind says'),
  days: whole,
  validFrom: 'string | null',
  validUntil: 'string | null',
  limitTotal: 'number.integer | null',
  limitPerUser: 'number.integer | null',
  uses: type('number.integer').describe('orders that hold it or were paid with it'),
  active: 'boolean',
  version: whole,
  createdAt: 'string',
  createdBy: 'string | null',
})
export const voucherPage = type({ items: voucherView.array(), nextCursor: cursor })

/** Something that should agree and does not. */
export const differenceView = type({
  key: 'string',
  check: type('string').describe('books (hourly), gateway (daily) or webhook'),
  what: 'string',
  subjectId: 'string',
  expected: 'string',
  found: 'string',
  userId: 'string | null',
  count: type('number.integer').describe('how often it was seen'),
  firstSeenAt: moment,
  lastSeenAt: moment,
  resolvedAt: 'string | null',
  settledBy: 'string | null',
  settlement: 'string | null',
})
/** GET /api/admin/billing_differences */
export const differenceList = type({
  items: differenceView.array(),
  groups: type({ check: 'string', what: 'string', count: whole, lastSeenAt: moment }).array(),
  checks: type({
    check: 'string',
    startedAt: moment,
    finishedAt: 'string | null',
    failedAt: type('string | null').describe('set while the last run of the check ended with an error'),
    error: 'string | null',
  }).array(),
})
