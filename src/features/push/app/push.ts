export { PushCard, PushOffer } from './late-push.ts'
