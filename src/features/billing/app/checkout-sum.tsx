import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { formatDollars, formatRupiah } from '#client/format.ts'
import { Button } from '#ui/button.tsx'
import type { PackageView, VoucherPreview } from '../types.ts'
import { SumLine } from './order-parts.tsx'

/** What the total is made of, and what the buyer agrees to. */
export function CheckoutLines({
  bought,
  preview,
  children,
}: {
  bought: PackageView | undefined
  preview: VoucherPreview | undefined
  children: ReactNode
}) {
  const { t } = useLingui()
  return (
    <section aria-labelledby="sum" className="card grid grid-cols-1 gap-3 p-5">
      <h2 id="sum" className="font-bold text-xl">
        {t`Ringkasan`}
      </h2>
      <dl className="grid gap-2">
        {bought && (
          <SumLine name={t`Paket ${bought.name}`}>
            {`${formatDollars(bought.cents / 100)} · ${formatRupiah(bought.idr)}`}
          </SumLine>
        )}
        {preview && preview.discountIdr > 0 && (
          <SumLine name={t`Potongan voucher`}>{`−${formatRupiah(preview.discountIdr)}`}</SumLine>
        )}
      </dl>
      {children}
    </section>
  )
}

/** The total and the one button, which stay in sight. */
export function PayBar({ total, busy, onPay }: { total: number; busy: boolean; onPay: () => void }) {
  const { t } = useLingui()
  return (
    <section
      aria-label={t`Total dan pembayaran`}
      className="sticky bottom-(--bottom-room) z-30 -mx-(--page-side) flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-t bg-base-100 px-(--page-side) py-3 lg:static lg:mx-0 lg:grid lg:rounded-box lg:border lg:px-5 lg:py-4"
    >
      <p className="grid">
        <span className="text-muted text-sm">{t`Total`}</span>
        <strong className="font-extrabold text-xl tabular-nums sm:text-2xl" data-testid="total">
          {formatRupiah(total)}
        </strong>
      </p>
      <Button size="lg" className="min-w-0 flex-[1_1_9rem] px-3" busy={busy} onClick={onPay}>
        {total > 0 ? t`Lanjut ke pembayaran` : t`Ambil sekarang`}
      </Button>
    </section>
  )
}
