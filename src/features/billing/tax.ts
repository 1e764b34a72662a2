/**
 * Effective rate of PPN, Indonesia's value added tax, in percent: PMK 131/2024 taxes 11/12 of the
 * price by 12 %.
 */
export const ppnPercent = 11

/** PPN contained in a total, in whole rupiah; the price without it is rounded half up. */
export function includedPpn(totalIdr: number, percent: number | null): number {
  return percent === null ? 0 : totalIdr - Math.round((totalIdr * 100) / (100 + percent))
}

/** Returns the 16 digits of a tax number in common notations; null if invalid. */
export function toNpwp(text: string): string | null {
  const digits = text.replace(/[\s.-]/g, '')
  if (!/^\d{15,16}$/.test(digits) || /^0+$/.test(digits)) return null
  // A number of 15 digits became one of 16 by a leading zero.
  return digits.padStart(16, '0')
}

/** Company for which the buyer wants the invoice. */
export interface InvoiceBuyer {
  company: string
  /** 16 digits. */
  npwp: string
  address: string
}
