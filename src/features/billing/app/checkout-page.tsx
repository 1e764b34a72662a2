import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { CloudOff } from 'lucide-react'
import { useSearchParams } from 'wouter'
import { errorText } from '#client/errors.ts'
import { failureOf } from '#client/query.ts'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
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
  const error = failureOf(packages) ?? failureOf(methods)
  const again = () => {
    if (!packages.data) void packages.refetch()
    if (!methods.data) void methods.refetch()
  }
  return (
    <div className="page">
      <PageHeader title={t`Pembayaran`}>{t`Sekali bayar, tidak diperpanjang otomatis.`}</PageHeader>
      {packages.data && methods.data ? (
        <CheckoutForm packages={packages.data.items} methods={methods.data} wanted={wanted} />
      ) : error ? (
        <EmptyState
          picture={<CloudOff aria-hidden className="size-12 text-muted" />}
          title={t`Pembayaran belum bisa dibuka`}
          action={<Button busy={packages.isFetching || methods.isFetching} onClick={again}>{t`Coba lagi`}</Button>}
        >
          {errorText(error)}
        </EmptyState>
      ) : (
        <div role="status" className="grid gap-3">
          <span className="sr-only">{t`Memuat…`}</span>
          <Skeleton className="h-16" />
          <Skeleton className="h-16" />
          <Skeleton className="h-16" />
          <Skeleton className="h-80" />
        </div>
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
