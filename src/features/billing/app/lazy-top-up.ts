import { lazyWithTexts } from '#client/lazy.ts'

export const TopUpSheet = lazyWithTexts(() => import('./top-up-sheet.tsx'), 'TopUpSheet', null)
