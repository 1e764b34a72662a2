// What other features' screens may use of packages.
export { PackageWorth, usePrices, WorthNote } from './package-price.tsx'
export { packagesQuery } from './packages.ts'
