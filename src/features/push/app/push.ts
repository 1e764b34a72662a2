// What other features' screens may use of the messages to this device.
export { PushCard, PushOffer } from './late-push.ts'
