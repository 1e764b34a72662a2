import { useLingui } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { TriangleAlert, X } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { apiJson } from '#client/api.ts'
import { inAppAtom } from '#features/installed-app/app/installed-app.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import { IconButton } from '#ui/button.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'
import { historyQuery } from '../queries.ts'
import { keptParams, type OptionsOf } from './kept-params.ts'
import type { StudioProps } from './studio-state.ts'

// Parts that only some visits to a tool page need, loaded on demand.

type Definition = AnyToolPage['definition']
type Params = Record<string, unknown>

async function readOptions(definition: Definition, text: string): Promise<Params | null> {
  try {
    const json: unknown = JSON.parse(text)
    return keptParams(definition, await apiJson<Params>(`/api/tools/${definition.id}/params`, { json }))
  } catch {
    return null
  }
}

/**
 * Applies options of the tool's address once. An in-app browser loses pictures, so there the
 * address always reflects the options.
 */
export function LinkedOptions({ page: { definition }, state, dispatch }: StudioProps) {
  const { t } = useLingui()
  const [search, setSearch] = useSearchParams()
  const inApp = useAtomValue(inAppAtom) !== null
  const [given, setGiven] = useState(() => search.get('options'))
  const take = useEffectEvent(async (text: string) => {
    const options = await readOptions(definition, text)
    setGiven(null)
    if (!options) return
    dispatch({ type: 'changed', settings: ({ params }) => ({ params: { ...params, ...options } }) })
    if (!inApp) showSnackbar('info', t`Pilihanmu ikut terbawa. Fotonya pilih lagi, ya.`)
  })
  useEffect(() => {
    if (given !== null) void take(given)
  }, [given])

  const wanted = inApp ? optionsForLink(definition, state.params) : null
  const write = useEffectEvent(() => {
    if (search.get('options') === wanted) return
    const others = [...search].filter(([name]) => name !== 'options')
    setSearch(wanted === null ? others : [...others, ['options', wanted]], { replace: true })
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the address or the options change
  useEffect(() => {
    if (given === null) write()
  }, [given, wanted])
  return null
}

export function optionsForLink(tool: OptionsOf, params: Record<string, unknown>): string | null {
  const chosen = Object.entries(keptParams(tool, params)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(tool.defaults[name]),
  )
  return chosen.length > 0 ? JSON.stringify(Object.fromEntries(chosen)) : null
}

export function RecentResults({ page }: { page: AnyToolPage }) {
  const { t } = useLingui()
  const { data } = useInfiniteQuery(historyQuery({ tool: page.definition.id }))
  const results = (data?.pages[0]?.items ?? []).filter(
    ({ status, thumbnailUrl }) => status === 'succeeded' && thumbnailUrl,
  )
  if (results.length === 0) return null
  return (
    <section aria-labelledby="recent" className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4">
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
              className="block size-24 overflow-hidden rounded-2xl bg-base-200 shadow-card"
            >
              <img
                src={generation.thumbnailUrl ?? undefined}
                alt={t`Hasil ke-${index + 1}`}
                loading="lazy"
                className="checker thumbnail-picture size-full"
              />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

export function FileProblems({ sentences, onClose }: { sentences: string[]; onClose: () => void }) {
  const { t } = useLingui()
  return (
    <div
      role="alert"
      className="alert fixed inset-x-3 top-[calc(env(safe-area-inset-top)+3.75rem)] z-45 mx-auto max-w-lg items-start gap-3 border-error bg-base-100 py-1 pr-1 text-base shadow-lift"
    >
      <TriangleAlert aria-hidden className="mt-3 size-5 shrink-0 text-error" />
      <div className="min-w-0 flex-1 py-2.5 leading-relaxed">
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        <p className="text-muted text-sm">{t`Tidak ada kredit yang terpakai.`}</p>
      </div>
      <IconButton icon={X} label={t`Tutup pesan`} onClick={onClose} />
    </div>
  )
}
