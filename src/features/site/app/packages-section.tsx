import { Plural, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { Check } from 'lucide-react'
import { errorText } from '#app/errors.ts'
import { formatDollars, formatRupiah } from '#app/format.ts'
import { packagesQuery } from '#app/packages.ts'
import { isAuthenticatedAtom } from '#app/session.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'

/** The packages on sale side by side. */
export function Packages() {
  const { t } = useLingui()
  const signedIn = useAtomValue(isAuthenticatedAtom)
  const { data, error, isFetching, refetch } = useQuery(packagesQuery)
  const leads: Record<string, string> = {
    starter: t`Untuk mulai mencoba`,
    basic: t`Untuk jualan dan kebutuhan rutin`,
    premium: t`Untuk yang mengedit setiap hari`,
  }
  const contents = [
    t`Headshot AI`,
    t`Latar baru`,
    t`Hapus latar dan objek`,
    t`Tata letak foto`,
    t`Edit khusus oleh desainer`,
  ]
  if (!data && error) {
    return (
      <EmptyState
        title={t`Harga belum bisa ditampilkan`}
        action={<Button busy={isFetching} onClick={() => void refetch()}>{t`Coba lagi`}</Button>}
      >
        {errorText(error)}
      </EmptyState>
    )
  }
  if (!data) {
    return (
      <div role="status" className="grid gap-5 md:grid-cols-3">
        <span className="sr-only">{t`Memuat…`}</span>
        <Skeleton className="h-120" />
        <Skeleton className="h-120" />
        <Skeleton className="h-120" />
      </div>
    )
  }
  return (
    <ul className="grid gap-5 md:grid-cols-3">
      {data.items.map(({ id, name, cents, idr, credits, days }) => {
        const best = id === 'basic'
        return (
          <li
            key={id}
            className={`card-surface flex flex-col gap-5 p-6 ${best ? 'border-2 border-primary md:-my-3 md:py-9' : ''}`}
          >
            <div>
              <div className="flex items-center justify-between gap-3">
                <h3 className="font-extrabold tracking-wide">{name}</h3>
                {best && (
                  <span className="rounded-full bg-soft px-3 py-1 font-semibold text-on-soft text-sm">{t`Paling pas`}</span>
                )}
              </div>
              <p className="mt-1 text-muted text-sm">{leads[id]}</p>
            </div>
            <div>
              <p className="flex items-baseline gap-1.5">
                <span className="font-extrabold text-4xl tracking-tight">{formatDollars(cents / 100)}</span>
                <span className="text-muted">{t`/ ${days} hari`}</span>
              </p>
              <p className="mt-1 text-muted">{formatRupiah(idr)}</p>
            </div>
            <p className="font-bold text-lg">
              {credits === null ? t`Kredit tanpa batas` : <Plural value={credits} other="# kredit" />}
            </p>
            <ul className="grid gap-2">
              {contents.map((content) => (
                <li key={content} className="flex gap-2.5">
                  <Check aria-hidden className="mt-0.5 size-5 shrink-0 text-primary" />
                  {content}
                </li>
              ))}
            </ul>
            <div className="mt-auto pt-1">
              <LinkButton
                to={signedIn ? `/checkout?package=${id}` : '/register'}
                state={signedIn ? undefined : { from: `/checkout?package=${id}` }}
                variant={best ? 'primary' : 'soft'}
                size="lg"
                className="w-full"
              >
                {signedIn ? t`Pilih ${name}` : t`Mulai gratis`}
              </LinkButton>
            </div>
          </li>
        )
      })}
    </ul>
  )
}
