import { lazyWithTexts } from '#client/lazy.ts'

/** Hardly ever needed for the first screen. */
export const PushOffer = lazyWithTexts(() => import('./push-offer.tsx'), 'PushOffer', null)
