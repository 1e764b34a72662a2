import { useLingui } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { Link } from 'wouter'
import { serverNow } from '#client/device/server-time.ts'
import { formatRupiah } from '#client/format.ts'
import { formatWib } from '#client/wib.ts'
import { statusLabels } from '../labels.ts'
import { paymentMethods } from '../payment-methods.ts'
import { orderStatus } from '../rules.ts'
import { ordersQuery } from './api.ts'
import { useOrderName } from './order-parts.tsx'

export function UnpaidOrder() {
  const { t, i18n } = useLingui()
  const nameOf = useOrderName()
  const { data, dataUpdatedAt } = useInfiniteQuery(ordersQuery)
  // A stored order may have been paid since.
  const items = dataUpdatedAt > performance.timeOrigin ? data?.pages[0]?.items : undefined
  const order = items?.find(
    ({ status, expiresAt }) =>
      status === orderStatus.awaiting ||
      (status === orderStatus.unpaid && (!expiresAt || Date.parse(expiresAt) > serverNow())),
  )
  if (!order) return null
  const amount = formatRupiah(order.totalIdr)
  const moment = order.expiresAt && order.status === orderStatus.unpaid ? formatWib(order.expiresAt) : null
  return (
    <Link
      to={`/checkout?order=${order.id}`}
      className="card flex-row items-center gap-4 px-4 py-3 transition-shadow hover:shadow-lift"
    >
      {order.method && (
        <img src={`/methods/${order.method}.svg`} alt={paymentMethods[order.method].name} width={44} height={44} />
      )}
      <span className="grid min-w-0 flex-1">
        <span className="font-bold">
          {nameOf(order)}, {amount}
        </span>
        <span className="text-muted text-sm">
          {i18n._(statusLabels[order.status])}
          {moment && <> · {t`Bayar sebelum ${moment}`}</>}
        </span>
      </span>
      <ChevronRight aria-hidden className="size-5 shrink-0 text-muted" />
    </Link>
  )
}
