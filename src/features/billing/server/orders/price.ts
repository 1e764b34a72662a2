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
