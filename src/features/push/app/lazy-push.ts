import { lazyComponent, lazyWithTexts } from '#client/lazy.ts'

/** Hardly ever needed for the first screen. */
export const PushOffer = lazyWithTexts(() => import('./push-offer.tsx'), 'PushOffer', null)
export const PushCard = lazyComponent(() => import('./push-card.tsx'), 'PushCard', null)
