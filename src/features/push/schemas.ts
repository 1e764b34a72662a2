import { type } from '#shared/schema.ts'
import { pushTopics } from './rules.ts'

const topics = type
  .enumerated(...pushTopics)
  .array()
  .atMostLength(pushTopics.length)

/** A browser's PushSubscription (Push API). */
export const subscriptionInput = type({
  endpoint: 'string <= 1000',
  keys: {
    p256dh: type(/^[\w-]{87}=?$/).describe('the public key of the device, base64url'),
    auth: type(/^[\w-]{22}={0,2}$/).describe('its secret, base64url'),
  },
})
export type SubscriptionInput = typeof subscriptionInput.infer

export const mutedInput = type({ muted: topics })
export type MutedInput = typeof mutedInput.infer

export const pushSettingsView = type({
  publicKey: type('string | null').describe('VAPID public key; null if push is off'),
  muted: topics.describe('notification kinds that are turned off'),
})
export type PushSettings = typeof pushSettingsView.infer
