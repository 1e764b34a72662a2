export { PushOffer } from './lazy-push.ts'
