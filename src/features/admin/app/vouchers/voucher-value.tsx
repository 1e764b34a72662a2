import { useLingui } from '@lingui/react/macro'
import { formatNumber, formatRupiah } from '#client/format.ts'
import type { VoucherView } from '#features/billing/admin/types.ts'

/** What a voucher gives or takes off. */
export function VoucherValue({ voucher: { kind, value } }: { voucher: VoucherView }) {
  const { t } = useLingui()
  if (kind === 'percent_off') return `${value}%`
  return kind === 'amount_off' ? formatRupiah(value) : t`${formatNumber(value)} kredit`
}
