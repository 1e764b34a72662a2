import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'wouter'
import { PageLoadFailed } from '#ui/load-failed.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { CheckoutForm } from './checkout-form.tsx'
import { OrderScreen } from './order-screen.tsx'
import { packagesQuery } from './packages.ts'
import { methodsQuery } from './queries.ts'

function Checkout({ wanted }: { wanted: string | null }) {
  const { t } = useLingui()
  const packages = useQuery(packagesQuery)
  const methods = useQuery(methodsQuery)
  return (
    <div className="page">
      <PageHeader title={t`Pembayaran`}>{t`Sekali bayar, tidak diperpanjang otomatis.`}</PageHeader>
      {packages.data && methods.data ? (
        <CheckoutForm packages={packages.data.items} methods={methods.data} wanted={wanted} />
      ) : (
        <PageLoadFailed queries={[packages, methods]} title={t`Pembayaran belum bisa dibuka`}>
          <div role="status" className="grid gap-3">
            <span className="sr-only">{t`Memuat…`}</span>
            <Skeleton className="h-16" />
            <Skeleton className="h-16" />
            <Skeleton className="h-16" />
            <Skeleton className="h-80" />
          </div>
        </PageLoadFailed>
      )}
    </div>
  )
}

/** /checkout, and /checkout?order= to pay what was ordered. */
export function CheckoutPage() {
  const [search] = useSearchParams()
  const order = search.get('order')
  return order ? <OrderScreen key={order} id={order} /> : <Checkout wanted={search.get('package')} />
}
