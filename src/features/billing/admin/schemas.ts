import { assignmentFields } from '#features/assignments/schemas.ts'
import { ledgerKinds, maxCredits, maxDays } from '#features/credits/rules.ts'
import { fromMoment, untilMoment } from '#shared/date-input.ts'
import { pageFields, timeSort } from '#shared/paging.ts'
import { isoDateTime, personFields, reason, type } from '#shared/schema.ts'
import { methodIds } from '../payment-methods.ts'
import {
  attemptStatuses,
  driverIds,
  maxChosenOrders,
  maxIdrPerUsd,
  maxOrderIdr,
  maxPackageCents,
  maxVoucher,
  orderSorts,
  orderStatus,
  refundStates,
  voucherDays,
  voucherKinds,
  voucherSorts,
} from '../rules.ts'
import { cursor, driver, method, orderChange, orderFields, problem, voucherKind, whole } from '../schemas.ts'
import { period } from './report-schemas.ts'

export const adminOrderView = type({
  ...orderFields,
  ...assignmentFields,
  buyer: personFields,
  driver: driver.or('null'),
  attempts: type({
    id: 'string',
    method,
    status: type.enumerated(...attemptStatuses),
    amountIdr: whole,
    at: isoDateTime,
  })
    .array()
    .describe('attempts of the buyer to pay'),
  payments: type({
    id: 'string',
    amount: whole,
    currency: 'string',
    problem: problem.describe('problem of a payment that could not be applied'),
    receivedAt: isoDateTime,
    settlement: type('string | null').describe('how an admin settled the problem'),
  }).array(),
  refunds: type({
    id: 'string',
    amountIdr: whole,
    credits: type(whole).describe('credits taken back with the payout'),
    reference: type('string').describe('bank reference of the transfer'),
    reason: 'string',
    at: isoDateTime,
    by: 'string | null',
  }).array(),
  gatewayRefunds: type({
    id: 'string',
    amountIdr: whole,
    status: "'sending' | 'failed'",
    failure: type('string | null').describe("the gateway's reason"),
    at: isoDateTime,
  })
    .array()
    .describe('refunds that the gateway is sending, or refused'),
  refundableByGateway: 'boolean',
  receivedIdr: type(whole).describe('payments received for the order'),
  refundedIdr: type(whole).describe('total of the refunds'),
  refundableIdr: type(whole).describe('amount not yet refunded'),
  history: orderChange.and({ actor: type('string | null').describe('name of the admin') }).array(),
})
export type AdminOrderView = typeof adminOrderView.infer
export const adminOrderPage = type({ items: adminOrderView.array(), nextCursor: cursor })

/** Null if adding them up takes too long. Only staff with the permission for money see sums. */
export const orderTotals = type({
  orders: whole,
  'totalIdr?': whole,
  'paidIdr?': type(whole).describe('of the paid orders'),
  'refundedIdr?': whole,
  'netIdr?': type(whole).describe('of the paid orders, less the refunds'),
}).or('null')
export type OrderTotals = typeof orderTotals.infer

/** Null if adding them up takes too long. */
export const ledgerTotals = type({ entries: whole, given: whole, taken: type(whole).describe('negative') }).or('null')
export type LedgerTotals = typeof ledgerTotals.infer

export const adminLedgerEntry = type({
  id: whole,
  user: { id: 'string', name: 'string', email: 'string' },
  kind: type.enumerated(...ledgerKinds),
  amount: whole,
  balanceAfter: whole,
  unlimited: 'boolean',
  tool: 'string | null',
  note: 'string | null',
  subjectId: type('string | null').describe('the related generation, order or credit lot'),
  createdAt: 'string',
})
export type AdminLedgerEntry = typeof adminLedgerEntry.infer
export const adminLedgerPage = type({ items: adminLedgerEntry.array(), nextCursor: cursor })

/** The newest version of a package is in effect; `by` is an admin's id. */
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
  rateVersion: type('number.integer').describe('0 while the configured rate applies'),
  rates: type({ idrPerUsd: whole, at: 'string', by: 'string | null' }).array(),
})
export type PriceHistory = typeof priceHistory.infer

export const voucherView = type({
  id: 'string',
  code: 'string',
  kind: voucherKind,
  value: type('number.integer').describe('credits, percent or whole rupiah, depending on the kind'),
  days: whole,
  validFrom: 'string | null',
  validUntil: 'string | null',
  limitTotal: 'number.integer | null',
  limitPerUser: 'number.integer | null',
  uses: type('number.integer').describe('orders that reserve it or were paid with it'),
  active: 'boolean',
  version: whole,
  createdAt: 'string',
  createdBy: 'string | null',
})
export type VoucherView = typeof voucherView.infer
export const voucherPage = type({ items: voucherView.array(), nextCursor: cursor })

/** `status` 0 with `driver` manual lists the transfers that wait for an admin's review. */
export const orderFilter = type({
  'status?': "'0' | '1' | '2' | '3'",
  'driver?': type.enumerated(...driverIds),
  'method?': type.enumerated(...methodIds),
  'refund?': type.enumerated(...refundStates),
  /** Up to 50, separated by commas. */
  'ids?': type('string').pipe(
    (written) => written.split(','),
    type('string.uuid').array().atMostLength(maxChosenOrders),
  ),
  'user?': 'string.uuid',
  'voucher?': 'string.uuid',
  /** A receipt's number, an order's id, or beginnings of words of the buyer's name and address. */
  'search?': type('string.trim').to('string <= 320'),
  /** Orders with a payment that could not be applied and that no admin has settled yet. */
  'problem?': "'true'",
  /** Orders assigned to the caller. */
  'mine?': "'true'",
  ...period,
})
export const listAdminOrdersInput = orderFilter.and({ 'sort?': type.enumerated(...orderSorts), ...pageFields })

/**
 * Version that the admin has read; after another change the server refuses with `change.outdated`.
 */
const seen = type('number.integer >= 0')
const voucherLimit = type(`1 <= number.integer <= ${maxVoucher}` as const).or('null')
const voucherBounds = {
  'validFrom?': fromMoment.or('null'),
  'validUntil?': untilMoment.or('null'),
  'limitTotal?': voucherLimit,
  'limitPerUser?': voucherLimit,
} as const

/** `status` is the status that the admin has seen. */
export const decideOrderInput = type({ reason, 'status?': type.enumerated(...Object.values(orderStatus)) })

/** With the received amount if it differs from the total. */
export const confirmOrderInput = decideOrderInput.and({
  'receivedIdr?': `1 <= number.integer <= ${maxOrderIdr}` as const,
})

/** Each with the status that the admin has seen, confirmed at its total. */
export const confirmOrdersInput = type({
  orders: type({ id: 'string.uuid', status: type.enumerated(...Object.values(orderStatus)) })
    .array()
    .atLeastLength(1)
    .atMostLength(maxChosenOrders),
  reason,
})

export const confirmedOrders = type({
  items: type({
    id: 'string',
    outcome: type("'paid' | 'waiting' | 'refused'").describe('waiting: a second member of staff has to confirm it'),
    code: type('string | null').describe('error code of a refused confirmation'),
  }).array(),
})
export type ConfirmedOrders = typeof confirmedOrders.infer

/**
 * Money sent back to the buyer, who reads the reason; unspent credits of the order are taken back
 * in proportion, unless the buyer may keep them.
 */
export const refundOrderInput = type({
  amountIdr: `1 <= number.integer <= ${maxOrderIdr}` as const,
  via: "'bank' | 'gateway' = 'bank'",
  /** The bank's, required for `bank`. */
  'reference?': type('string.trim').to('string <= 100'),
  takeCredits: 'boolean = true',
  reason,
}).narrow(
  ({ via, reference }, context) =>
    via === 'gateway' || Boolean(reference) || context.reject({ path: ['reference'], expected: 'given' }),
)
export const refundedOrder = type({
  id: 'string',
  amountIdr: whole,
  credits: type(whole).describe('credits taken back; 0 while the gateway is sending'),
  status: type("'sending' | 'sent' | 'failed'").describe('state of a refund by the gateway; `sent` by a bank'),
})

export const settlePaymentInput = type({ reason })

/** Some of the unknown payments and sessions, or all of a kind. */
export const settleUnknownInput = type({
  'keys?': type('1 <= string <= 400').array().atLeastLength(1).atMostLength(500),
  'what?': "'unknown_session' | 'unknown_payment'",
  reason,
}).narrow(
  ({ keys, what }, context) =>
    (keys === undefined) !== (what === undefined) ||
    context.reject({ path: ['keys'], expected: 'given, or else what' }),
)

/** `value` is credits, percent or whole rupiah, depending on the kind. */
export const createVoucherInput = type({
  code: type('string.trim').to(/^[A-Za-z0-9_-]{3,32}$/),
  kind: type.enumerated(...voucherKinds),
  value: `1 <= number.integer <= ${maxVoucher}` as const,
  days: `1 <= number.integer <= ${maxDays} = ${voucherDays}` as const,
  ...voucherBounds,
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

/** Absent fields stay. The value cannot be changed, since it was promised. */
export const editVoucherInput = type({
  ...voucherBounds,
  'active?': 'boolean',
  'version?': seen,
}).narrow(
  ({ validFrom, validUntil, limitTotal, limitPerUser, active }, context) =>
    [validFrom, validUntil, limitTotal, limitPerUser, active].some((value) => value !== undefined) ||
    context.mustBe('a change'),
)

/** `code` is a prefix. */
export const listVouchersInput = type({
  'active?': "'true' | 'false'",
  'code?': 'string <= 64',
  'sort?': type.enumerated(...voucherSorts),
  ...pageFields,
})

export const ledgerFilter = type({
  'userId?': 'string.uuid',
  /** An id, or beginnings of words of a user's name and address. */
  'search?': 'string <= 320',
  'kind?': type.enumerated(...ledgerKinds),
  ...period,
})
export const listAllLedgerInput = ledgerFilter.and({ 'sort?': timeSort, ...pageFields })

/** Effective from the next order. */
export const setPackageInput = type({
  name: type('string.trim').to('1 <= string <= 40'),
  cents: `1 <= number.integer <= ${maxPackageCents}` as const,
  credits: type(`1 <= number.integer <= ${maxCredits}` as const).or('null'),
  days: `1 <= number.integer <= ${maxDays}` as const,
  position: '0 <= number.integer <= 1000',
  active: 'boolean = true',
  'version?': seen,
})

/** Effective from the next order. */
export const setRateInput = type({
  idrPerUsd: type.number.divisibleBy(1).atLeast(1).atMost(maxIdrPerUsd),
  'version?': seen,
})
