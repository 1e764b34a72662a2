import { Plural, useLingui } from '@lingui/react/macro'
import { ChevronDown } from 'lucide-react'
import { formatDateTime, formatDollars, formatRupiah } from '#client/format.ts'
import { reasonLabels, statusLabels } from '../labels.ts'
import { paymentMethods } from '../methods.ts'
import type { OrderView } from '../types.ts'
import { SumLine, useOrderName } from './order-parts.tsx'

/** What was bought for how much, and what became of it. */
export function OrderSummary({ order }: { order: OrderView }) {
  const { t, i18n } = useLingui()
  const nameOf = useOrderName()
  const { package: bought, voucher, method } = order
  const credits = (bought ? bought.credits : voucher?.credits) ?? 0
  const gift = bought && voucher ? voucher.credits : 0
  return (
    <section aria-label={t`Rincian pesanan`} className="card grid grid-cols-1 gap-4 p-5">
      <dl className="grid gap-2 text-sm">
        <SumLine name={nameOf(order)}>
          {bought ? `${formatDollars(bought.cents / 100)} · ${formatRupiah(order.subtotalIdr)}` : formatRupiah(0)}
        </SumLine>
        {credits > 0 && (
          <SumLine name={t`Kredit`}>
            <Plural value={credits} other="# kredit" />
          </SumLine>
        )}
        {bought?.credits === null && <SumLine name={t`Kredit`}>{t`Tanpa batas`}</SumLine>}
        {gift > 0 && (
          <SumLine name={nameOf({ package: null, voucher })}>
            <Plural value={gift} other="# kredit" />
          </SumLine>
        )}
        {order.discountIdr > 0 && (
          <SumLine name={nameOf({ package: null, voucher })}>{`−${formatRupiah(order.discountIdr)}`}</SumLine>
        )}
        {method && <SumLine name={t`Metode`}>{paymentMethods[method].name}</SumLine>}
        <div className="flex flex-wrap justify-between gap-x-4 border-line border-t pt-3 font-bold text-base">
          <dt>{t`Total`}</dt>
          <dd className="tabular-nums">{formatRupiah(order.totalIdr)}</dd>
        </div>
      </dl>
      <details className="group -mb-2">
        <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 font-semibold text-sm [&::-webkit-details-marker]:hidden">
          <span className="flex-1">{t`Perjalanan pesanan`}</span>
          <ChevronDown aria-hidden className="size-5 text-muted transition-transform group-open:rotate-180" />
        </summary>
        <ol className="grid gap-2 pb-1 text-sm">
          {order.history.map(({ to, by, reason, at }) => {
            const known = reasonLabels[reason]
            return (
              <li key={`${at} ${to}`} className="flex flex-wrap justify-between gap-x-4">
                <span>
                  {i18n._(statusLabels[to])}
                  {(known || by === 'admin') && (
                    <span className="block text-muted">{known ? i18n._(known) : reason}</span>
                  )}
                </span>
                <time dateTime={at} className="text-muted">
                  {formatDateTime(at)}
                </time>
              </li>
            )
          })}
        </ol>
      </details>
    </section>
  )
}
