import type { Language } from '#shared/language.ts'

export const localeOf = (language: Language) => (language === 'id' ? 'id-ID' : 'en-GB')

/** Indonesian notation, such as `Rp 165.000`. */
export function formatIdr(amount: number): string {
  return `Rp ${new Intl.NumberFormat('id-ID').format(amount)}`
}

/** US cents, such as `$10`, and `$9,50` or `$9.50`. */
export function formatUsd(cents: number, language: Language): string {
  return new Intl.NumberFormat(localeOf(language), {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    trailingZeroDisplay: 'stripIfInteger',
  }).format(cents / 100)
}

export function formatWib(moment: Date, language: Language): string {
  const text = new Intl.DateTimeFormat(localeOf(language), {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'Asia/Jakarta',
  }).format(moment)
  return `${text} WIB`
}
