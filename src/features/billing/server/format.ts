import type { Language } from '#contract/language.ts'

/** Whole rupiah as everybody writes them, e.g. `Rp 165.000`. */
export function formatIdr(amount: number): string {
  return `Rp ${new Intl.NumberFormat('id-ID').format(amount)}`
}

/** US cents, e.g. `$10` or `$9.50`. */
export function formatUsd(cents: number): string {
  const whole = cents % 100 === 0
  return `$${(cents / 100).toFixed(whole ? 0 : 2)}`
}

/** A moment in western Indonesian time. */
export function formatWib(moment: Date, language: Language): string {
  const text = new Intl.DateTimeFormat(language === 'id' ? 'id-ID' : 'en-GB', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'Asia/Jakarta',
  }).format(moment)
  return `${text} WIB`
}
