import { lazyWithTexts } from '#client/lazy.ts'

/** Buys missing credits without leaving the page. */
export const TopUpSheet = lazyWithTexts(() => import('./top-up-sheet.tsx'), 'TopUpSheet', null)
