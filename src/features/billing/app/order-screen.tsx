import { useLingui } from '@lingui/react/macro'
import { useEffect } from 'react'
import { Redirect } from 'wouter'
import { failureOf } from '#client/query.ts'
import { LinkButton } from '#ui/button.tsx'
import { DataAge } from '#ui/data-age.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { orderStatus } from '../rules.ts'
import type { OrderView } from '../types.ts'
import { MoneyNotice } from './money-notice.tsx'
import { OpenPayment } from './open-payment.tsx'
import { OrderActions } from './order-actions.tsx'
import { OrderMissing } from './order-missing.tsx'
import { useOrderStory } from './order-story.ts'
import { OrderSummary, StatusBadge, useOrderName } from './order-summary.tsx'
import { useCheckOnReturn, useOrder } from './use-order.ts'

function Shown({ order, updatedAt }: { order: OrderView; updatedAt: number }) {
  const { t } = useLingui()
  const story = useOrderStory(order)
  const nameOf = useOrderName()
  const { payment } = order
  return (
    <div className="mx-auto grid max-w-xl grid-cols-1 gap-5">
      <PageHeader title={nameOf(order)}>
        <StatusBadge status={order.status} />
      </PageHeader>
      <DataAge updatedAt={updatedAt} />
      <MoneyNotice order={order} />
      {story && (
        <p role="status" className="rounded-box bg-soft px-5 py-4 text-on-soft leading-relaxed">
          {story}
        </p>
      )}
      {payment?.status === 'open' && order.status === orderStatus.unpaid && (
        <OpenPayment order={order} payment={payment} />
      )}
      <OrderActions order={order} />
      <OrderSummary order={order} />
      <LinkButton to="/billing" variant="ghost">{t`Semua pesanan`}</LinkButton>
    </div>
  )
}

/** An order and how to pay it; goes on by itself when it is paid. */
export function OrderScreen({ id }: { id: string }) {
  const { t } = useLingui()
  const query = useOrder(id)
  const { data: order, isFetching, refetch, dataUpdatedAt } = query
  useCheckOnReturn(id, order?.payment?.status === 'open' && order.payment.driver !== 'manual')
  useEffect(() => {
    window.scrollTo(0, 0)
  }, [])
  if (order?.status === orderStatus.paid) return <Redirect to={`/payment-success?order=${order.id}`} replace />
  return (
    <div className="page pb-12">
      {order ? (
        <Shown order={order} updatedAt={dataUpdatedAt} />
      ) : (
        <>
          <h1 className="sr-only">{t`Pembayaran`}</h1>
          <OrderMissing error={failureOf(query)} busy={isFetching} onRetry={() => void refetch()} />
        </>
      )}
    </div>
  )
}
