// What other features' screens may use of packages.
import { lazyWithTexts } from '#client/lazy.ts'

export { PackageWorth, usePrices, WorthNote } from './package-price.tsx'
export { packagesQuery } from './packages.ts'

export const TopUpSheet = lazyWithTexts(() => import('./top-up-sheet.tsx'), 'TopUpSheet')
