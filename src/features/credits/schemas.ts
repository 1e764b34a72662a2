import { reason, type } from '#shared/schema.ts'
import { lotSources, maxCredits, maxDays, maxUnitPrice, welcomeRefusals } from './rules.ts'

/** Times are ISO 8601 in UTC. */
export const lotView = type({
  remaining: 'number.integer > 0',
  expiresAt: 'string',
  source: type.enumerated(...lotSources),
})
export type LotView = typeof lotView.infer

/** `credits` is the sum of unexpired lots, earliest expiry first. */
export const creditBalance = type({
  credits: 'number.integer >= 0',
  given: type('number.integer >= 0').describe('credits of all unexpired lots, spent or not'),
  unlimitedUntil: 'string | null',
  grants: lotView.array(),
  welcomeRefused: type
    .enumerated(...welcomeRefusals)
    .or('null')
    .describe('why no welcome credits were granted; null if granted'),
  updatedAt: 'string',
})
export type CreditBalance = typeof creditBalance.infer

/** Credits for a unit. */
export const toolPriceView = type({
  tool: 'string',
  unit: 'number.integer >= 0',
  defaultUnit: type('number.integer >= 0').describe('default price'),
  version: type('number.integer').describe('0 until an admin sets it'),
  history: type({ unit: 'number.integer >= 0', at: 'string', by: 'string | null' })
    .array()
    .describe("prices set by admins, newest first; `by` is the admin's id"),
})
export type ToolPriceView = typeof toolPriceView.infer

export const toolPriceList = type({ items: toolPriceView.array() })

export const toolPriceInput = type({
  unit: `0 <= number.integer <= ${maxUnitPrice}` as const,
  'version?': type('number.integer >= 0').describe(
    'version that was read; the change is rejected if it has changed since',
  ),
})

/** Grants credits (positive) or takes some back (negative). */
export const adjustCreditsInput = type({
  userId: 'string.uuid',
  amount: type(`-${maxCredits} <= number.integer <= ${maxCredits}` as const).narrow(
    (amount, context) => amount !== 0 || context.mustBe('not 0'),
  ),
  days: type(`1 <= number.integer <= ${maxDays}` as const)
    .describe('validity of granted credits')
    .default(90),
  reason,
  'orderId?': type('string.uuid').or('null').describe('the refunded order'),
})

export const creditAdjustment = type({
  entryId: 'number.integer',
  userId: 'string',
  amount: 'number.integer',
  balance: type('number.integer').describe('balance after the adjustment'),
  createdAt: 'string',
})
export type CreditAdjustment = typeof creditAdjustment.infer

declare module '#features/events/types.ts' {
  interface ServerEvents {
    credits: Pick<CreditBalance, 'credits' | 'unlimitedUntil' | 'updatedAt'>
  }
}
