import { factorReauthenticationInput } from '#features/account/schemas.ts'
import { pageFields } from '#shared/paging.ts'
import { type } from '#shared/schema.ts'
import {
  deliveryErrors,
  deliveryStates,
  pingEvent,
  webhookDescriptionMax,
  webhookEvents,
  webhookUrlMax,
} from './rules.ts'

const description = type('string.trim').to(`string <= ${webhookDescriptionMax}`)
const events = type
  .enumerated(...webhookEvents)
  .array()
  .atLeastLength(1)
  .atMostLength(webhookEvents.length)

const endpointFields = {
  id: 'string',
  url: 'string',
  description: 'string',
  events: type.enumerated(...webhookEvents).array(),
  disabled: type("'user' | 'gone' | null").describe('by the user, or after the receiver answered 410; null: active'),
  previousSecretUntil: type('string | null').describe('until then the secret before the rotation signs too'),
  createdAt: 'string',
} as const
export const webhookView = type(endpointFields)
export type WebhookView = typeof webhookView.infer

const secret = type('string').describe('`whsec_` and base64; shown this once')
export const webhookCreated = type({ ...endpointFields, secret })
export type WebhookCreated = typeof webhookCreated.infer
export const webhookSecret = type({ secret })

export const webhookInput = factorReauthenticationInput.and({
  url: `1 <= string <= ${webhookUrlMax}`,
  description,
  events,
})
export type WebhookInput = typeof webhookInput.infer

export const webhookChange = type({ 'description?': description, 'events?': events, 'enabled?': 'boolean' })
export type WebhookChange = typeof webhookChange.infer

export const deliveryView = type({
  id: type('string').describe('the `webhook-id` of all its attempts'),
  event: type.enumerated(...webhookEvents, pingEvent),
  subjectId: type('string | null').describe('such as the id of the generation'),
  state: type.enumerated(...deliveryStates),
  attempts: 'number',
  status: type('number | null').describe('HTTP status of the last attempt; null without an answer'),
  error: type
    .enumerated(...deliveryErrors)
    .or('null')
    .describe('reason of the last failure without an answer'),
  lastAttemptAt: 'string | null',
  nextAttemptAt: type('string | null').describe('null once delivered or given up'),
  createdAt: 'string',
})
export type DeliveryView = typeof deliveryView.infer

export const listDeliveriesInput = type(pageFields)
