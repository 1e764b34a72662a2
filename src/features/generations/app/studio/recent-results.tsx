import { useLingui } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { AnyToolPage } from '#tools/ui/page.ts'
import { historyQuery } from '../queries.ts'

export function RecentResults({ page }: { page: AnyToolPage }) {
  const { t } = useLingui()
  const { data } = useInfiniteQuery(historyQuery({ tool: page.definition.id }))
  const results = (data?.pages[0]?.items ?? []).filter(
    ({ status, thumbnailUrl }) => status === 'succeeded' && thumbnailUrl,
  )
  if (results.length === 0) return null
  return (
    <section aria-labelledby="recent" className="grid gap-3">
      <div className="flex items-center justify-between gap-4">
        <h2 id="recent" className="text-lg font-bold">
          {t`Hasil terakhir`}
        </h2>
        <Link to="/history" className="btn btn-ghost px-3 text-primary">
          {t`Lihat semua`}
        </Link>
      </div>
      {/* Scrolls back to the start for a new first result. */}
      <ul
        key={results[0]?.id}
        className="-mx-(--page-side) flex gap-3 overflow-x-auto px-(--page-side) py-1 [scrollbar-width:none]"
      >
        {results.slice(0, 12).map((generation, index) => (
          <li key={generation.id}>
            <Link
              to={`${page.definition.route}?result=${generation.id}`}
              className="grid grid-cols-[100%] grid-rows-[100%] place-items-center bg-base-200 *:max-h-full *:max-w-full size-24 overflow-hidden rounded-2xl shadow-card"
            >
              <img
                src={generation.thumbnailUrl ?? undefined}
                alt={t`Hasil ke-${index + 1}`}
                loading="lazy"
                className="checker"
              />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
