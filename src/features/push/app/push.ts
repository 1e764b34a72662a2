import { lazyWithTexts } from '#client/lazy.ts'

/** Hardly ever needed for the first screen. */
export const PushOffer = lazyWithTexts(() => import('./push-controls.tsx'), 'PushOffer', null)
