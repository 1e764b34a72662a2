import { Plural, useLingui } from '@lingui/react/macro'
import { formatDateTime, formatDollars, formatRupiah } from '#app/format.ts'
import type { OrderView } from '../contract.ts'
import { paymentMethods } from '../methods.ts'
import { reasonWords, statusTones, statusWords } from './words.ts'

export function StatusBadge({ status }: Pick<OrderView, 'status'>) {
  const { i18n } = useLingui()
  return (
    <span className={`inline-block rounded-full px-3 py-1 font-semibold text-xs ${statusTones[status]}`}>
      {i18n._(statusWords[status])}
    </span>
  )
}

/** What an order is called: its package, or its voucher. */
export function useOrderName(): (order: Pick<OrderView, 'package' | 'voucher'>) => string {
  const { t } = useLingui()
  return ({ package: bought, voucher }) => {
    if (bought) return t`Paket ${bought.name}`
    return t`Voucher ${voucher?.code ?? ''}`
  }
}

/** What was bought for how much, and what became of it. */
export function OrderSummary({ order }: { order: OrderView }) {
  const { t, i18n } = useLingui()
  const nameOf = useOrderName()
  const { package: bought, voucher, method } = order
  return (
    <section aria-label={t`Rincian pesanan`} className="card-surface grid gap-4 p-5">
      <dl className="grid gap-2.5 text-sm [&>div]:flex [&>div]:justify-between [&>div]:gap-4 [&_dd]:text-right [&_dt]:text-muted">
        <div>
          <dt>{nameOf(order)}</dt>
          <dd>
            {bought ? `${formatDollars(bought.cents / 100)} · ${formatRupiah(order.subtotalIdr)}` : formatRupiah(0)}
          </dd>
        </div>
        {(bought?.credits || voucher?.credits) && (
          <div>
            <dt>{t`Kredit`}</dt>
            <dd>
              <Plural value={(bought?.credits ?? 0) + (voucher?.credits ?? 0)} other="# kredit" />
            </dd>
          </div>
        )}
        {order.discountIdr > 0 && (
          <div>
            <dt>{t`Potongan voucher`}</dt>
            <dd>{`−${formatRupiah(order.discountIdr)}`}</dd>
          </div>
        )}
        {method && (
          <div>
            <dt>{t`Metode`}</dt>
            <dd>{paymentMethods[method].name}</dd>
          </div>
        )}
        <div className="border-line border-t pt-2.5 font-bold text-base">
          <dt>{t`Total`}</dt>
          <dd className="tabular-nums">{formatRupiah(order.totalIdr)}</dd>
        </div>
      </dl>
      <details>
        <summary className="flex min-h-11 cursor-pointer items-center font-semibold text-sm">{t`Perjalanan pesanan`}</summary>
        <ol className="grid gap-2 pb-1 text-sm">
          {order.history.map(({ to, by, reason, at }) => {
            const known = reasonWords[reason]
            return (
              <li key={`${at} ${to}`} className="flex justify-between gap-4">
                <span>
                  {i18n._(statusWords[to])}
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
