import { Plural, useLingui } from '@lingui/react/macro'
import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatDateTime, formatDollars, formatRupiah } from '#client/format.ts'
import { reasonLabels, statusLabels } from '../labels.ts'
import { paymentMethods } from '../methods.ts'
import { type OrderStatus, orderStatus } from '../rules.ts'
import type { OrderView } from '../types.ts'

const statusTones: Record<OrderStatus, string> = {
  [orderStatus.awaiting]: 'bg-info text-info-content',
  [orderStatus.unpaid]: 'bg-warning text-warning-content',
  [orderStatus.paid]: 'bg-success text-success-content',
  [orderStatus.cancelled]: 'bg-base-300 text-base-content',
}

export function StatusBadge({ status }: Pick<OrderView, 'status'>) {
  const { i18n } = useLingui()
  return (
    <span className={`inline-block rounded-full px-3 py-1 font-semibold text-xs ${statusTones[status]}`}>
      {i18n._(statusLabels[status])}
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

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-4 text-sm">
      <dt className="text-muted">{name}</dt>
      <dd className="ml-auto text-right tabular-nums">{children}</dd>
    </div>
  )
}

/** What was bought for how much, and what became of it. */
export function OrderSummary({ order }: { order: OrderView }) {
  const { t, i18n } = useLingui()
  const nameOf = useOrderName()
  const { package: bought, voucher, method } = order
  const credits = (bought ? bought.credits : voucher?.credits) ?? 0
  const gift = bought && voucher ? voucher.credits : 0
  return (
    <section aria-label={t`Rincian pesanan`} className="card grid grid-cols-1 gap-4 p-5">
      <dl className="grid gap-2">
        <Row name={nameOf(order)}>
          {bought ? `${formatDollars(bought.cents / 100)} · ${formatRupiah(order.subtotalIdr)}` : formatRupiah(0)}
        </Row>
        {credits > 0 && (
          <Row name={t`Kredit`}>
            <Plural value={credits} other="# kredit" />
          </Row>
        )}
        {bought?.credits === null && <Row name={t`Kredit`}>{t`Tanpa batas`}</Row>}
        {gift > 0 && (
          <Row name={nameOf({ package: null, voucher })}>
            <Plural value={gift} other="# kredit" />
          </Row>
        )}
        {order.discountIdr > 0 && (
          <Row name={nameOf({ package: null, voucher })}>{`−${formatRupiah(order.discountIdr)}`}</Row>
        )}
        {method && <Row name={t`Metode`}>{paymentMethods[method].name}</Row>}
        <div className="flex flex-wrap justify-between gap-x-4 border-line border-t pt-3 font-bold">
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
