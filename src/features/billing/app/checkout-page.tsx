import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Redirect, useSearchParams } from 'wouter'
import { lazyComponent } from '#client/lazy.ts'
import { LinkButton } from '#ui/button.tsx'
import { DataAge } from '#ui/data-age.tsx'
import { PageLoadFailed } from '#ui/lists/query-state.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { PageSkeleton, Skeleton } from '#ui/skeleton.tsx'
import { orderStatus } from '../rules.ts'
import { methodsQuery } from './api.ts'
import { packagesQuery } from './billing.tsx'
import { CheckoutForm } from './checkout-form.tsx'
import { InvoiceBuyer } from './invoice-buyer.tsx'
import { OrderActions } from './order-actions.tsx'
import {
  OrderMissing,
  OrderSummary,
  PaymentHelp,
  PaymentProblemNotice,
  pathOfOrder,
  StatusBadge,
  useOrderName,
} from './order-parts.tsx'
import { useGatewayCheck, useOrder, useOrderExplanation } from './use-order.ts'

/** Loaded after placing an order; most orders are next viewed when paid. */
const OpenPayment = lazyComponent(
  () => import('./open-payment.tsx'),
  'OpenPayment',
  <Skeleton className="h-80 w-full" />,
)

function Checkout({ wanted }: { wanted: string | null }) {
  const { t } = useLingui()
  const packages = useQuery(packagesQuery)
  const methods = useQuery(methodsQuery)
  return (
    <div className="page">
      <PageHeader title={t`Pembayaran`}>{t`Sekali bayar, tidak diperpanjang otomatis.`}</PageHeader>
      {packages.data && methods.data ? (
        <CheckoutForm packages={packages.data} methods={methods.data} wanted={wanted} />
      ) : (
        <PageLoadFailed queries={[packages, methods]} title={t`Pembayaran belum bisa dibuka`}>
          <PageSkeleton className="grid gap-3" shapes={['h-16', 'h-16', 'h-16', 'h-80']} />
        </PageLoadFailed>
      )}
    </div>
  )
}

export function CheckoutPage() {
  const [search] = useSearchParams()
  const order = search.get('order')
  return order ? <OrderScreen key={order} id={order} /> : <Checkout wanted={search.get('package')} />
}

function OrderScreen({ id }: { id: string }) {
  const { t } = useLingui()
  const nameOf = useOrderName()
  const storyOf = useOrderExplanation()
  const query = useOrder(id)
  const order = query.data
  const payment = order?.payment?.status === 'open' ? order.payment : null
  useGatewayCheck(id, payment && payment.driver !== 'manual' ? 'on-return' : 'never')
  useEffect(() => {
    window.scrollTo(0, 0)
    // The submit button disappeared with the form.
    if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true })
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
        <PaymentProblemNotice order={order} />
        {story && (
          <p role="status" className="rounded-box bg-soft px-5 py-4 text-on-soft leading-relaxed">
            {story}
          </p>
        )}
        {payment && order.status === orderStatus.unpaid && <OpenPayment order={order} payment={payment} />}
        <OrderActions order={order} />
        <OrderSummary order={order} />
        <InvoiceBuyer order={order} />
        <LinkButton to="/billing" variant="ghost">{t`Semua pesanan`}</LinkButton>
        <PaymentHelp />
      </div>
    </div>
  )
}
