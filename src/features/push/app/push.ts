export { PushCard, PushOffer } from './lazy-push.ts'
