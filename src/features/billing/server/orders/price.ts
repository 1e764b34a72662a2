import type { VoucherKind } from '../../rules.ts'

/** US cents in whole rupiah, rounded up. */
export function idrFor(cents: number, idrPerUsd: number): number {
  return Math.ceil((cents * idrPerUsd) / 100)
}

/**
 * What a voucher takes off a price, in whole rupiah: a share rounded down, and never more than the
 * price.
 */
export function discountFor(voucher: { kind: VoucherKind; value: number } | null, subtotalIdr: number): number {
  if (voucher?.kind === 'percent_off') return Math.floor((subtotalIdr * voucher.value) / 100)
  if (voucher?.kind === 'amount_off') return Math.min(voucher.value, subtotalIdr)
  return 0
}
