import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { CloudOff } from 'lucide-react'
import { useSearchParams } from 'wouter'
import { errorText } from '#app/errors.ts'
import { packagesQuery } from '#app/packages.ts'
import { failureOf } from '#app/query.ts'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { usePageTitle } from '#app/ui/page-title.ts'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { CheckoutForm } from './checkout-form.tsx'
import { OrderScreen } from './order-screen.tsx'
import { methodsQuery } from './queries.ts'

function Checkout({ wanted }: { wanted: string | null }) {
  const { t } = useLingui()
  usePageTitle(t`Pembayaran`)
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
