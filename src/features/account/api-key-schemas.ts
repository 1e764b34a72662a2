import { apiKeyModes, apiKeyNameMax, apiKeyScopes } from '#shared/api-key.ts'
import { type } from '#shared/schema.ts'
import { factorReauthenticationInput } from './schemas.ts'

const apiKeyFields = {
  id: 'string',
  name: 'string',
  mode: type.enumerated(...apiKeyModes),
  scopes: type.enumerated(...apiKeyScopes).array(),
  hint: type('string').describe('the first characters of the key'),
  dailyCredits: type('number | null').describe('credits that the key may spend in a day of Jakarta'),
  createdAt: 'string',
  expiresAt: 'string | null',
  lastUsedAt: type('string | null').describe('accurate to a minute'),
} as const
export const apiKeyView = type(apiKeyFields)
export type ApiKeyView = typeof apiKeyView.infer
export const apiKeyCreated = type({ ...apiKeyFields, key: type('string').describe('shown this once') })
export type ApiKeyCreated = typeof apiKeyCreated.infer
export const apiKeyInput = factorReauthenticationInput.and({
  name: type('string.trim').to(`1 <= string <= ${apiKeyNameMax}`),
  mode: type.enumerated(...apiKeyModes),
  scopes: type
    .enumerated(...apiKeyScopes)
    .array()
    .atLeastLength(1)
    .atMostLength(apiKeyScopes.length),
  dailyCredits: '1 <= number.integer <= 1000000 | null',
  days: type('1 <= number.integer <= 3650 | null').describe('days until it expires; null: never'),
})
