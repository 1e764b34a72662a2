import { useLingui } from '@lingui/react/macro'
import { SearchX } from 'lucide-react'
import { ApiError } from '#client/api.ts'
import { LinkButton } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { PageLoadFailed } from '#ui/lists/loaded.tsx'
import { PageSkeleton } from '#ui/skeleton.tsx'
import type { useOrder } from './use-order.ts'

/** `id` is empty if the address names none. */
export function OrderMissing({ id, query }: { id: string; query: ReturnType<typeof useOrder> }) {
  const { t } = useLingui()
  const orders = <LinkButton to="/billing" variant="outline">{t`Lihat pesananku`}</LinkButton>
  const unknown = id === '' || (query.error instanceof ApiError && query.error.status === 404)
  return (
    <div className="page pb-12">
      <h1 className="sr-only">{t`Pembayaran`}</h1>
      {unknown ? (
        <EmptyState
          picture={<SearchX aria-hidden className="size-12 text-muted" />}
          title={t`Pesanan tidak ditemukan`}
          action={orders}
        />
      ) : (
        <PageLoadFailed queries={[query]} title={t`Pesanan belum bisa ditampilkan`} action={orders}>
          <PageSkeleton className="mx-auto grid w-full max-w-xl gap-4 py-10" shapes={['h-24', 'h-72']} />
        </PageLoadFailed>
      )}
    </div>
  )
}
