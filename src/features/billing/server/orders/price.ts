import type { Language } from '#shared/language.ts'
import type { VoucherKind } from '../../rules.ts'

/** Rounds up. */
export function idrFor(cents: number, idrPerUsd: number): number {
  return Math.ceil((cents * idrPerUsd) / 100)
}

/** Whole rupiah: percentages are rounded down, and never exceed the price. */
export function discountFor(voucher: { kind: VoucherKind; value: number } | null, subtotalIdr: number): number {
  if (voucher?.kind === 'percent_off') return Math.floor((subtotalIdr * voucher.value) / 100)
  if (voucher?.kind === 'amount_off') return Math.min(voucher.value, subtotalIdr)
  return 0
}

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
