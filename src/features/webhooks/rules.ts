export const webhookEvents = ['generation.succeeded', 'generation.failed', 'generation.cancelled'] as const
export type WebhookEvent = (typeof webhookEvents)[number]

/** Sent on request to the endpoint alone, whatever its events. */
export const pingEvent = 'webhook.ping'
export type DeliveredEvent = WebhookEvent | typeof pingEvent

/** Per account. */
export const maxWebhooks = 5

export const webhookUrlMax = 2000
export const webhookDescriptionMax = 200

/** Both secrets sign during this time after a rotation. */
export const rotationHours = 24

export const deliveryDays = 30

export const deliveryStates = ['pending', 'delivered', 'failed'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** Reasons without an answer of the receiver; the first are those of `PublicFetchError`. */
export const deliveryErrors = [
  'url_invalid',
  'port_forbidden',
  'address_forbidden',
  'redirect_refused',
  'too_large',
  'timeout',
  'unreachable',
  /** The endpoint, or its account, was disabled before the attempt. */
  'endpoint_disabled',
  /** Nothing is left to report. */
  'subject_gone',
  /** The attempts were used up without a recorded end. */
  'given_up',
] as const
export type DeliveryError = (typeof deliveryErrors)[number]

/** By the user, or because the receiver answered 410 Gone. */
export type DisabledReason = 'user' | 'gone'
