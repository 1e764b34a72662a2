// Public interface of push messages for other features' screens.
export { PushCard, PushOffer } from './late-push.ts'
