import type { PackageView } from '../types.ts'

type Offer = Pick<PackageView, 'cents' | 'idr'> & { credits: number }

/**
 * How many pictures of `unit` credits a package is worth, and what one costs, to the nearest 50
 * rupiah and the nearest cent.
 */
export function pictureWorth(
  { credits, idr, cents }: Offer,
  unit: number,
): { pictures: number; each: Pick<PackageView, 'cents' | 'idr'> } {
  const pictures = Math.max(1, Math.floor(credits / Math.max(1, unit)))
  return { pictures, each: { idr: Math.round(idr / pictures / 50) * 50, cents: Math.round(cents / pictures) } }
}
