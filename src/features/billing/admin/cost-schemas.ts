import { type } from '#shared/schema.ts'

const count = type('number.integer >= 0')
const whole = type('number.integer')

/**
 * Generations that used external providers, on the days on which they were started; their credits
 * on the days of the charge or refund.
 */
export const generationCostsSchema = type({
  items: type({
    tool: 'string',
    provider: type('string').describe('provider that finished them; `local` is the engine fallback'),
    generations: count,
    costUnknown: count.describe('of these, generations whose provider reports no cost'),
    runs: count.describe('deprecated, same as `generations`'),
    untold: count.describe('deprecated, same as `costUnknown`'),
    usd: type('number >= 0').describe('total provider cost in US dollars'),
    costIdr: count.describe('in rupiah at the current rate'),
    credits: whole.describe('credits charged, net of refunds'),
    earnedIdr: whole.describe('revenue of these credits'),
    marginIdr: whole.describe('revenue minus cost'),
  }).array(),
  idrPerUsd: count,
})
export type GenerationCosts = typeof generationCostsSchema.infer
export type GenerationCostsRow = GenerationCosts['items'][number]
