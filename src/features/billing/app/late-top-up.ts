import { lazyWithTexts } from '#client/lazy.ts'

/** What is missing for a run, bought in the place where it is missing. */
export const TopUpSheet = lazyWithTexts(() => import('./top-up-sheet.tsx'), 'TopUpSheet', null)
