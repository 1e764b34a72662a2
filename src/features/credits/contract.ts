import { type } from '#contract/schema.ts'

/** Why credits moved. */
export const ledgerKinds = ['purchase', 'voucher', 'welcome', 'generation', 'refund', 'adjustment', 'expiry'] as const
export type LedgerKind = (typeof ledgerKinds)[number]

/** Where a lot of credits came from. */
export const grantSources = ['package', 'voucher', 'welcome', 'refund', 'adjustment'] as const
export type GrantSource = (typeof grantSources)[number]

/** Credits that came in together and expire together; times are ISO 8601 in UTC. */
const grantView = /* @__PURE__ */ type({
  remaining: 'number.integer > 0',
  expiresAt: 'string',
  source: type.enumerated(...grantSources),
})
export type GrantView = typeof grantView.infer

/**
 * GET /api/user/myCredit: `credits` is the sum of what remains in lots that have not expired,
 * soonest to expire first.
 */
export const creditBalance = /* @__PURE__ */ type({
  credits: 'number.integer >= 0',
  unlimitedUntil: 'string | null',
  grants: grantView.array(),
  updatedAt: 'string',
})
export type CreditBalance = typeof creditBalance.infer

/** A tool in GET /api/admin/tool_prices; prices are credits for a unit of it. */
const toolPriceView = /* @__PURE__ */ type({
  tool: 'string',
  unit: 'number.integer >= 0',
  defaultUnit: type('number.integer >= 0').describe('what it costs as long as no admin says otherwise'),
  version: type('number.integer').describe('0 as long as no admin has set it'),
  history: type({ unit: 'number.integer >= 0', at: 'string', by: 'string | null' })
    .array()
    .describe('what admins have set, newest first; `by` is the admin’s id'),
})
export type ToolPriceView = typeof toolPriceView.infer

/** GET /api/admin/tool_prices, and PUT …/{tool} */
export const toolPriceList = /* @__PURE__ */ type({ items: toolPriceView.array() })

/** PUT /api/admin/tool_prices/{tool} */
export const toolPriceInput = /* @__PURE__ */ type({
  unit: '0 <= number.integer <= 100000',
  'version?': type('number.integer >= 0').describe(
    'the one that was read; with another one by now the change is refused',
  ),
})

/** POST /api/admin/credit_adjustments: grants credits (positive), or takes some back (negative). */
export const adjustCreditsInput = /* @__PURE__ */ type({
  userId: 'string.uuid',
  amount: type('-10000000 <= number.integer <= 10000000').narrow(
    (amount, context) => amount !== 0 || context.mustBe('not 0'),
  ),
  days: type('1 <= number.integer <= 3650').describe('how long granted credits last').default(90),
  reason: type('string.trim').to('1 <= string <= 500'),
  'orderId?': type('string.uuid').or('null').describe('the order that it pays back'),
})

/** 201 of the same. */
export const creditAdjustment = /* @__PURE__ */ type({
  entryId: 'number.integer',
  userId: 'string',
  amount: 'number.integer',
  balance: type('number.integer').describe('after the adjustment'),
  createdAt: 'string',
})
export type CreditAdjustment = typeof creditAdjustment.infer
