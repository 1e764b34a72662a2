import type { mutedInput, pushSettings, subscriptionInput } from './schemas.ts'

export type PushSettings = typeof pushSettings.infer
export type SubscriptionInput = typeof subscriptionInput.infer
export type MutedInput = typeof mutedInput.infer
