import type { VoucherKind } from '../../rules.ts'

/** Converts US cents to whole rupiah, rounded up. */
export function idrFor(cents: number, idrPerUsd: number): number {
  return Math.ceil((cents * idrPerUsd) / 100)
}

/**
 * Discount of a voucher in whole rupiah: percentages are rounded down, and never exceed the price.
 */
export function discountFor(voucher: { kind: VoucherKind; value: number } | null, subtotalIdr: number): number {
  if (voucher?.kind === 'percent_off') return Math.floor((subtotalIdr * voucher.value) / 100)
  if (voucher?.kind === 'amount_off') return Math.min(voucher.value, subtotalIdr)
  return 0
}
