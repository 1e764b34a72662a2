import { useLingui } from '@lingui/react/macro'
import { useEffect } from 'react'
import { Redirect } from 'wouter'
import { LinkButton } from '#ui/button.tsx'
import { DataAge } from '#ui/data-age.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { orderStatus } from '../rules.ts'
import { MoneyNotice } from './money-notice.tsx'
import { OpenPayment } from './open-payment.tsx'
import { OrderActions } from './order-actions.tsx'
import { OrderMissing } from './order-missing.tsx'
import { pathOfOrder, StatusBadge, useOrderName } from './order-parts.tsx'
import { useOrderStory } from './order-story.ts'
import { OrderSummary } from './order-summary.tsx'
import { useGatewayCheck, useOrder } from './use-order.ts'

/** An order and how to pay it; goes on by itself when it is paid. */
export function OrderScreen({ id }: { id: string }) {
  const { t } = useLingui()
  const nameOf = useOrderName()
  const storyOf = useOrderStory()
  const query = useOrder(id)
  const order = query.data
  const payment = order?.payment?.status === 'open' ? order.payment : null
  useGatewayCheck(id, payment && payment.driver !== 'manual' ? 'on-return' : 'never')
  useEffect(() => {
    window.scrollTo(0, 0)
  }, [])
  if (!order) return <OrderMissing id={id} query={query} />
  if (order.status === orderStatus.paid) return <Redirect to={pathOfOrder(order)} replace />
  const story = storyOf(order)
  return (
    <div className="page pb-12">
      <div className="mx-auto grid max-w-xl grid-cols-1 gap-5">
        <PageHeader title={nameOf(order)}>
          <StatusBadge status={order.status} />
        </PageHeader>
        <DataAge updatedAt={query.dataUpdatedAt} />
        <MoneyNotice order={order} />
        {story && (
          <p role="status" className="rounded-box bg-soft px-5 py-4 text-on-soft leading-relaxed">
            {story}
          </p>
        )}
        {payment && order.status === orderStatus.unpaid && <OpenPayment order={order} payment={payment} />}
        <OrderActions order={order} />
        <OrderSummary order={order} />
        <LinkButton to="/billing" variant="ghost">{t`Semua pesanan`}</LinkButton>
      </div>
    </div>
  )
}
