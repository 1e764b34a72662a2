export { PackageWorth, usePrices, WorthNote } from './package-price.tsx'
export { packagesQuery } from './packages.ts'
