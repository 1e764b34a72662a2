import { useLingui } from '@lingui/react/macro'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { CloudOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSearchParams } from 'wouter'
import { onlineAtom } from '#client/connection.ts'
import { formatAge, formatDay, formatTime } from '#client/format.ts'
import { useUploads } from '#features/uploads/app/uploads.ts'
import { findToolPage, toolPages } from '#tools/pages.ts'
import { ToolIcon } from '#tools/ui/tool-picture.tsx'
import { isOffered, toolsQuery } from '#tools/ui/tools-query.ts'
import { Button, LinkButton } from '#ui/button.tsx'
import { EmptyIllustration } from '#ui/empty-illustration.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { PageLoadFailed } from '#ui/lists/loaded.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { PageSkeleton } from '#ui/skeleton.tsx'
import { type GenerationStatus, generationStatuses } from '../../rules.ts'
import type { GenerationView } from '../../schemas.ts'
import { statusBadges } from '../labels.ts'
import { type HistoryFilter, historyQuery } from '../queries.ts'
import { GenerationTile, tileGrid, UploadTile } from './tile.tsx'

export function HistoryList({ onOpen, children }: { onOpen: (id: string) => void; children: ReactNode }) {
  const { t } = useLingui()
  const online = useAtomValue(onlineAtom)
  const [search, setSearch] = useSearchParams()
  const filter = readFilter(search)
  const setFilter = (change: HistoryFilter) => {
    const wanted = Object.entries({ ...filter, ...change }).filter(([, value]) => value !== undefined)
    setSearch(Object.fromEntries(wanted), { replace: true })
  }
  const query = useInfiniteQuery(historyQuery(filter))
  const uploads = useUploads().filter(
    ({ state, tool }) => state !== 'sent' && !filter.status && (!filter.tool || filter.tool === tool),
  )
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  const age = formatAge(query.dataUpdatedAt)
  const filtered = filter.tool !== undefined || filter.status !== undefined
  const empty = query.isSuccess && items.length === 0 && uploads.length === 0
  return (
    <>
      <PageHeader
        title={t`Riwayat`}
      >{t`Hasil tersimpan 30 hari. Ketuk untuk membuka, mengubah, atau mengunduh.`}</PageHeader>
      {children}
      {(!empty || filtered) && <Filters filter={filter} items={items} onFilter={setFilter} />}
      {query.data && (!online || query.isRefetchError) && (
        <p role="status" className="mb-4 flex items-center gap-2.5 rounded-field bg-base-300/60 px-4 py-3 text-sm">
          <CloudOff aria-hidden className="size-5 shrink-0" />
          {t`Kamu sedang offline. Daftar ini diperbarui ${age}.`}
        </p>
      )}
      {uploads.length > 0 && (
        <section aria-labelledby="on-their-way" className="mb-6">
          <h2 id="on-their-way" className="mb-3 font-bold text-lg">
            {t`Sedang dikirim`}
          </h2>
          <ul className={tileGrid}>
            {uploads.map((upload) => (
              <li key={upload.id}>
                <UploadTile upload={upload} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {!query.data && (
        <PageLoadFailed queries={[query]} title={t`Riwayat belum bisa dibuka`}>
          <PageSkeleton className={tileGrid} shapes={Array<string>(8).fill('aspect-square')} />
        </PageLoadFailed>
      )}
      {empty && !filtered && (
        <EmptyState
          picture={<EmptyIllustration className="w-48" />}
          title={t`Belum ada gambar yang dibuat`}
          action={
            <LinkButton size="lg" to="/ai-background-removal">
              {t`Hapus latar foto pertamamu`}
            </LinkButton>
          }
        >
          {t`Pilih satu foto, dan hasilnya muncul di sini dalam hitungan detik.`}
        </EmptyState>
      )}
      {empty && filtered && (
        <EmptyState
          title={t`Tidak ada yang cocok`}
          action={
            <Button
              variant="soft"
              onClick={() => setFilter({ tool: undefined, status: undefined })}
            >{t`Tampilkan semua`}</Button>
          }
        />
      )}
      <div className="grid gap-7">
        {byDay(items).map(([day, made]) => (
          <section key={day}>
            <h2 className="mb-3 font-bold text-lg first-letter:uppercase">{day}</h2>
            <ul className={tileGrid} aria-label={t`Hasil ${day}`}>
              {made.map((generation) => (
                <li key={generation.id}>
                  <GenerationTile
                    generation={generation}
                    onOpen={() => onOpen(generation.id)}
                    caption={<Caption generation={generation} />}
                  />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      {query.hasNextPage && (
        <div className="mt-8 grid justify-items-center">
          <Button variant="soft" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t`Tampilkan lebih banyak`}
          </Button>
        </div>
      )}
    </>
  )
}

function readFilter(search: URLSearchParams): HistoryFilter {
  const tool = search.get('tool') ?? ''
  const status = generationStatuses.find((known) => known === search.get('status'))
  return { ...(findToolPage(tool) && { tool }), ...(status && { status }) }
}

function byDay(items: readonly GenerationView[]): [day: string, made: GenerationView[]][] {
  const days = new Map<string, GenerationView[]>()
  for (const item of items) {
    const day = formatDay(item.createdAt)
    days.set(day, [...(days.get(day) ?? []), item])
  }
  return [...days]
}

function Caption({ generation: { tool, status, credits, createdAt } }: { generation: GenerationView }) {
  const { t, i18n } = useLingui()
  const page = findToolPage(tool)
  const refunded = (status === 'failed' || status === 'cancelled') && credits > 0
  return (
    <span className="mt-1.5 flex items-center gap-2 px-1 text-sm">
      {page && <ToolIcon mark={page.icon} className="size-5 shrink-0" />}
      <span className="sr-only">{page ? i18n._(page.definition.label) : tool},</span>
      <span className="min-w-0 flex-1 leading-snug">
        {formatTime(createdAt)}
        {refunded && <span className="block text-muted text-xs">{t`Kredit kembali`}</span>}
      </span>
    </span>
  )
}

const shownStatuses = [undefined, 'succeeded', 'failed', 'cancelled'] as const satisfies (
  | GenerationStatus
  | undefined
)[]

/** Unlisted tools appear only if they are offered or were used. */
function useShownTools(items: readonly GenerationView[], chosen: string | undefined) {
  const views = useQuery(toolsQuery).data?.items ?? []
  return Object.values(toolPages)
    .map(({ definition }) => definition)
    .filter((tool) => {
      if (!tool.unlisted || tool.id === chosen || items.some((made) => made.tool === tool.id)) return true
      const view = views.find(({ id }) => id === tool.id)
      return isOffered(tool, view)
    })
}

function Filters({
  filter,
  items,
  onFilter,
}: {
  filter: HistoryFilter
  items: readonly GenerationView[]
  onFilter: (change: HistoryFilter) => void
}) {
  const { t, i18n } = useLingui()
  const tools = useShownTools(items, filter.tool)
  return (
    <div className="-mx-(--page-side) mb-5 flex gap-2 overflow-x-auto px-(--page-side) py-1 [scrollbar-width:none]">
      <fieldset className="contents">
        <legend className="sr-only">{t`Saring menurut status`}</legend>
        {shownStatuses.map((status) => (
          <button
            key={status ?? 'all'}
            type="button"
            className="btn rounded-full border-line bg-base-100 px-4 text-sm aria-pressed:border-transparent aria-pressed:bg-neutral aria-pressed:text-neutral-content"
            aria-pressed={filter.status === status}
            onClick={() => onFilter({ status: filter.status === status ? undefined : status })}
          >
            {status ? i18n._(statusBadges[status]) : t`Semua`}
          </button>
        ))}
      </fieldset>
      <select
        className="select h-11 w-auto shrink-0 rounded-full bg-base-100 text-sm"
        aria-label={t`Saring menurut alat`}
        value={filter.tool ?? ''}
        onChange={(event) => onFilter({ tool: event.target.value || undefined })}
      >
        <option value="">{t`Semua alat`}</option>
        {tools.map(({ id, label }) => (
          <option key={id} value={id}>
            {i18n._(label)}
          </option>
        ))}
      </select>
    </div>
  )
}
