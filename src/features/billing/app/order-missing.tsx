import { useLingui } from '@lingui/react/macro'
import { CloudOff, SearchX } from 'lucide-react'
import { ApiError } from '#client/api.ts'
import { errorText } from '#client/errors.ts'
import { Button, LinkButton } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Skeleton } from '#ui/skeleton.tsx'

/** In place of an order that is not there yet, or not at all. */
export function OrderMissing({
  error,
  busy,
  onRetry,
}: {
  /** Null while it is on its way, 'unnamed' when the address names none. */
  error: unknown
  busy: boolean
  onRetry: () => void
}) {
  const { t } = useLingui()
  if (!error) {
    return (
      <div role="status" className="mx-auto grid w-full max-w-xl gap-4 py-10">
        <span className="sr-only">{t`Memuat…`}</span>
        <Skeleton className="h-24" />
        <Skeleton className="h-72" />
      </div>
    )
  }
  const orders = <LinkButton to="/billing" variant="outline">{t`Lihat pesananku`}</LinkButton>
  // Asking again would not help.
  if (error === 'unnamed' || (error instanceof ApiError && error.status === 404)) {
    return (
      <EmptyState
        picture={<SearchX aria-hidden className="size-12 text-muted" />}
        title={t`Pesanan tidak ditemukan`}
        action={orders}
      />
    )
  }
  return (
    <EmptyState
      picture={<CloudOff aria-hidden className="size-12 text-muted" />}
      title={t`Pesanan belum bisa ditampilkan`}
      action={
        <div className="flex flex-wrap justify-center gap-3">
          <Button busy={busy} onClick={onRetry}>{t`Coba lagi`}</Button>
          {orders}
        </div>
      }
    >
      {errorText(error)}
    </EmptyState>
  )
}
