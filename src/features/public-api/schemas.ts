import { generationView } from '#features/generations/schemas.ts'
import { apiKeyModes, apiKeyScopes } from '#shared/api-key.ts'
import { type } from '#shared/schema.ts'
import { notice } from '#tools/contract/schemas.ts'

const whole = 'number.integer >= 0'

export const accountView = type({
  credits: type(whole).describe('credits left'),
  unlimitedUntil: type('string | null').describe('end of an unlimited package'),
  engineVersion: type('string').describe('for the header Engine-Version'),
  key: {
    name: 'string',
    mode: type.enumerated(...apiKeyModes),
    scopes: type.enumerated(...apiKeyScopes).array(),
    dailyCredits: type('number | null').describe('credits that the key may spend in a day of Jakarta'),
    spentToday: type(whole).describe('credits that the key has spent today'),
    expiresAt: 'string | null',
  },
})

const day = /^\d{4}-\d{2}-\d{2}$/

export const usageQuery = type({ '+': 'reject', 'from?': day, 'to?': day })

export const usageView = type({
  from: type('string').describe('first day, in Jakarta'),
  to: type('string').describe('day after the last one'),
  items: type({
    day: 'string',
    tool: 'string',
    key: type('string | null').describe('name of the key; null for generations of the app'),
    test: 'boolean',
    generations: whole,
    credits: type(whole).describe('without refunds'),
  }).array(),
})

const maxBatchItems = 50

/** Each item is a body of POST /generations. */
export const batchInput = type({
  '+': 'reject',
  items: type('object').array().atLeastLength(1).atMostLength(maxBatchItems),
}).configure({
  examples: [
    {
      items: ['shoe', 'bag'].map((name) => ({
        tool: 'background-removal',
        inputs: { picture: [{ url: `https://example.com/${name}.jpg` }] },
      })),
    },
  ],
})

export const batchView = type({
  items: type({ generation: generationView.or('null'), error: notice.or('null') })
    .array()
    .describe('in the order of the request: the generation, or why it was refused'),
})
