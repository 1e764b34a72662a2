import { fromMoment, untilMoment } from '#contract/moment.ts'
import { pageSize } from '#contract/paging.ts'
import { type } from '#contract/schema.ts'
import { ledgerKinds } from '#features/credits/contract.ts'
import { methodIds } from './methods.ts'
import { driverIds, maxIdrPerUsd, orderStatus, voucherKinds } from './rules.ts'

// What the API of billing takes.

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

/**
 * POST /api/orders; without a package the voucher has to give credits by itself. A method is needed
 * unless nothing is left to pay.
 */
export const createOrderInput = /* @__PURE__ */ type({
  'packageId?': packageId.or('null'),
  'voucherCode?': voucherCode.or('null'),
  'method?': type.enumerated(...methodIds).or('null'),
  'mobileNumber?': mobileNumber.or('null'),
  acceptPrivacy: accepted,
  acceptTerms: accepted,
})

/**
 * POST /api/orders/{id}/pay_again; the same method and mobile number as before unless others are
 * given.
 */
export const payAgainInput = /* @__PURE__ */ type({
  'method?': type.enumerated(...methodIds).or('null'),
  'mobileNumber?': mobileNumber.or('null'),
})

/** GET /api/orders */
export const listOrdersInput = /* @__PURE__ */ type({ 'cursor?': 'string.uuid', 'limit?': pageSize })

/**
 * GET /api/admin/orders; `status` 0 and `driver` manual are the transfers that wait for somebody to
 * look.
 */
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
/**
 * The version that was read: when it is another one by now, the change is refused with
 * `change.outdated`.
 */
const seen = type('number.integer >= 0')
const validFrom = fromMoment.or('null')
const validUntil = untilMoment.or('null')
const voucherLimit = type('1 <= number.integer <= 100000000').or('null')
/** The most credits that one package or voucher gives. */
const maxCredits = 10_000_000

/**
 * POST /api/admin/orders/{id}/confirm and …/cancel; `status` is the one that the admin has seen.
 */
export const decideOrderInput = /* @__PURE__ */ type({
  reason,
  'status?': type.enumerated(...Object.values(orderStatus)),
})

/** POST /api/admin/payments/{id}/settle */
export const settlePaymentInput = /* @__PURE__ */ type({ reason })

/**
 * POST /api/admin/billing_differences/settle: some of the payments and sessions which nobody here
 * knows, or all of a kind.
 */
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

/**
 * PATCH /api/admin/vouchers/{id}; what is left out stays. What a voucher gives cannot be changed:
 * it was promised.
 */
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

/** PUT /api/admin/idr_rate; counts from the next order on. */
export const setRateInput = /* @__PURE__ */ type({
  idrPerUsd: type.number.divisibleBy(1).atLeast(1).atMost(maxIdrPerUsd),
  'version?': seen,
})

/** POST /api/admin/claims/{id} */
export const decideClaimInput = /* @__PURE__ */ type({ accept: 'boolean' })
