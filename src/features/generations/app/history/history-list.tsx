import { useLingui } from '@lingui/react/macro'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { CloudOff } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'wouter'
import { onlineAtom } from '#client/connection.ts'
import { serverNow } from '#client/device/server-time.ts'
import { formatAge, formatDay, formatTime } from '#client/format.ts'
import { lazyWithTexts } from '#client/lazy.ts'
import { UploadListSheet, useUploads } from '#features/uploads/app/uploads.ts'
import { findToolPage, toolPages } from '#tools/pages.ts'
import { isOffered, toolsQuery } from '#tools/ui/tools-query.ts'
import { Button, LinkButton } from '#ui/button.tsx'
import { EmptyIllustration } from '#ui/empty-illustration.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { PageLoadFailed } from '#ui/lists/query-state.tsx'
import { SearchInput } from '#ui/lists/search-input.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { PageSkeleton } from '#ui/skeleton.tsx'
import { type GenerationStatus, generationStatuses } from '../../rules.ts'
import type { GenerationView } from '../../schemas.ts'
import { statusBadges } from '../labels.ts'
import { type HistoryFilter, historyQuery, storedMatches } from '../queries.ts'
import { GenerationTile, TileCaption, tileGrid, UploadButton } from './tile.tsx'

const TryAgainButton = lazyWithTexts(() => import('../result/use-continue-in-tool.tsx'), 'TryAgainButton', null)

export function HistoryList({ onOpen, children }: { onOpen: (id: string) => void; children: ReactNode }) {
  const { t } = useLingui()
  const online = useAtomValue(onlineAtom)
  const [search, setSearch] = useSearchParams()
  const client = useQueryClient()
  const nameOf = useNameOfPage()
  const filter = readFilter(search, nameOf)
  const setFilter = ({ named: _, ...change }: HistoryFilter) => {
    const { named: _named, ...now } = filter
    const wanted = Object.entries({ ...now, ...change }).filter((entry): entry is [string, string] => Boolean(entry[1]))
    setSearch(Object.fromEntries(wanted), { replace: true })
  }
  const filtered = Object.keys(filter).length > 0
  const query = useInfiniteQuery(historyQuery(filter))
  // The copy on the device answers for a filter that was never loaded.
  const unreached = query.data === undefined && (!online || query.isError)
  const whole = useInfiniteQuery({ ...historyQuery(), enabled: filtered && unreached })
  const items = query.data?.pages.flatMap((page) => page.items) ?? (filtered ? storedMatches(client, filter) : [])
  const shown = query.data ? query : whole
  const uploads = useUploads().filter(
    ({ state, tool }) =>
      state !== 'sent' && !filter.status && !filter.when && !filter.search && (!filter.tool || filter.tool === tool),
  )
  const age = formatAge(shown.dataUpdatedAt)
  const [listing, setListing] = useState(false)
  const known = query.data !== undefined || (unreached && whole.data !== undefined)
  const empty = known && items.length === 0 && uploads.length === 0
  return (
    <>
      <PageHeader
        title={t`Riwayat`}
      >{t`Hasil tersimpan 30 hari. Ketuk untuk membuka, mengubah, atau mengunduh.`}</PageHeader>
      {children}
      {(!empty || filtered) && <Filters filter={filter} items={items} onFilter={setFilter} />}
      {known && (!online || query.isError) && (
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
                <UploadButton upload={upload} onOpen={() => setListing(true)} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {listing && <UploadListSheet onClose={() => setListing(false)} />}
      {!known && items.length === 0 && (
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
          action={<Button variant="soft" onClick={() => setSearch({}, { replace: true })}>{t`Tampilkan semua`}</Button>}
        >
          {filter.tool && t`Hanya ${nameOf(filter.tool)} yang ditampilkan.`}
        </EmptyState>
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
                  {generation.status === 'failed' && <TryAgainButton generation={generation} />}
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

/** At once, unlike the names in `tool-name.ts`: the search must not be sent twice. */
function useNameOfPage(): (id: string) => string | undefined {
  const { i18n } = useLingui()
  return (id) => {
    const page = findToolPage(id)
    return page && i18n._(page.definition.label)
  }
}

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))

function readFilter(params: URLSearchParams, nameOf: (id: string) => string | undefined): HistoryFilter {
  const tool = params.get('tool') ?? ''
  const status = generationStatuses.find((known) => known === params.get('status'))
  const when = params.get('when') ?? ''
  const search = (params.get('search') ?? '').trim().slice(0, 100)
  const words = search.toLowerCase().split(/\s+/)
  const named = Object.keys(toolPages).filter((id) => words.every((word) => nameOf(id)?.toLowerCase().includes(word)))
  return {
    ...(findToolPage(tool) && { tool }),
    ...(status && { status }),
    ...((when === 'today' || when === 'week' || isDay(when)) && { when }),
    ...(search && { search, named }),
  }
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
  const { t } = useLingui()
  const refunded = (status === 'failed' || status === 'cancelled') && credits > 0
  return (
    <TileCaption tool={tool}>
      {formatTime(createdAt)}
      {refunded && <span className="block">{t`Kredit kembali`}</span>}
    </TileCaption>
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
  const { when } = filter
  // The other filters may be out of sight at the end of the row.
  const isWhole = !filter.status && !filter.tool && !when
  const day = when !== undefined && isDay(when) ? when : undefined
  return (
    <div className="mb-5 grid grid-cols-1 gap-2">
      <SearchInput
        value={filter.search ?? ''}
        onSearch={(typed) => onFilter({ search: typed })}
        label={t`Cari nama berkas atau alat`}
        className="w-full rounded-full bg-base-100 md:w-96"
      />
      <div className="-mx-(--page-side) flex gap-2 overflow-x-auto px-(--page-side) py-1 [scrollbar-width:none]">
        <fieldset className="contents">
          <legend className="sr-only">{t`Saring menurut status`}</legend>
          {shownStatuses.map((status) => (
            <button
              key={status ?? 'all'}
              type="button"
              className="btn rounded-full border-line bg-base-100 px-4 text-sm aria-pressed:border-transparent aria-pressed:bg-neutral aria-pressed:text-neutral-content"
              aria-pressed={status ? filter.status === status : isWhole}
              onClick={() =>
                onFilter(
                  status
                    ? { status: filter.status === status ? undefined : status }
                    : { status, tool: undefined, when: undefined },
                )
              }
            >
              {status ? i18n._(statusBadges[status]) : t`Semua`}
            </button>
          ))}
        </fieldset>
        <select
          className={selectStyle}
          aria-label={t`Saring menurut alat`}
          value={filter.tool ?? ''}
          onChange={(event) => onFilter({ tool: event.target.value })}
        >
          <option value="">{t`Semua alat`}</option>
          {tools.map(({ id, label }) => (
            <option key={id} value={id}>
              {i18n._(label)}
            </option>
          ))}
        </select>
        <select
          className={selectStyle}
          aria-label={t`Saring menurut tanggal`}
          value={day ? 'day' : (when ?? '')}
          onChange={({ target: { value } }) => onFilter({ when: value === 'day' ? today() : value })}
        >
          <option value="">{t`Semua tanggal`}</option>
          <option value="today">{t`Hari ini`}</option>
          <option value="week">{t`7 hari terakhir`}</option>
          <option value="day">{t`Pilih tanggal`}</option>
        </select>
        {day && (
          <input
            type="date"
            className="input h-11 w-auto shrink-0 rounded-full bg-base-100 text-sm"
            aria-label={t`Tanggal`}
            value={day}
            max={today()}
            onChange={({ target: { value } }) => isDay(value) && onFilter({ when: value })}
          />
        )}
      </div>
    </div>
  )
}

const selectStyle = 'select h-11 w-auto shrink-0 rounded-full bg-base-100 text-sm'

/** `yyyy-mm-dd` in the user's time zone. */
const today = () => new Date(serverNow()).toLocaleDateString('sv')
