import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Image as ImageIcon } from 'lucide-react'
import { Link, useLocation, useSearch } from 'wouter'
import { initialsOf } from '#ui/initials.ts'
import { LoadFailed } from '#ui/load-failed.tsx'
import { SearchInput } from '#ui/search-input.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { customEditLabels } from '../../labels.ts'
import type { CustomEditStatus } from '../../rules.ts'
import type { BoardEditView } from '../../types.ts'
import { boardQuery } from './api.ts'
import { Due } from './due.tsx'
import { RequestDetail } from './request-detail.tsx'

const here = '/admin/request-custom'
const columns: CustomEditStatus[] = ['new', 'in_progress', 'done', 'declined']

/** Who works on it, as small as a card needs. */
function Designer({ name }: { name: string }) {
  return (
    <span className="adm-avatar ml-auto" title={name}>
      <span aria-hidden>{initialsOf(name)}</span>
      <span className="sr-only">{name}</span>
    </span>
  )
}

function Card({ request }: { request: BoardEditView }) {
  const { id, title, user, designer, attachments } = request
  return (
    <li>
      <Link to={`${here}?id=${id}`} className="adm-card">
        <strong className="line-clamp-2">{title}</strong>
        <span className="text-muted">{user.name}</span>
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs">
          <Due request={request} />
          {attachments.length > 0 && (
            <span className="inline-flex items-center gap-1 text-muted">
              <ImageIcon aria-hidden className="size-3.5" />
              {attachments.length}
            </span>
          )}
          {designer && <Designer name={designer.name} />}
        </span>
      </Link>
    </li>
  )
}

function Column({ status, params }: { status: CustomEditStatus; params: Record<string, string> }) {
  const { i18n, t } = useLingui()
  const { data, error, refetch } = useQuery(boardQuery({ ...params, status, limit: '50' }))
  const count = data?.items.length ?? 0
  return (
    <section className="adm-column" aria-label={i18n._(customEditLabels[status])}>
      <h2>
        {i18n._(customEditLabels[status])}{' '}
        <span className="adm-num font-normal text-muted">{data?.nextCursor ? `${count}+` : count}</span>
      </h2>
      {error && !data && <LoadFailed error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton className="h-24" />}
      {data?.items.length === 0 && <p className="px-1 py-6 text-center text-muted">{t`Kosong`}</p>}
      <ul className="grid gap-2">
        {data?.items.map((request) => (
          <Card key={request.id} request={request} />
        ))}
      </ul>
    </section>
  )
}

/** /admin/request-custom: what people asked of the designers, by state. */
export function BoardScreen() {
  const { t } = useLingui()
  const [, navigate] = useLocation()
  const search = new URLSearchParams(useSearch())
  const id = search.get('id')
  const mine = search.get('mine') === 'true'
  const searched = search.get('search') ?? ''
  const go = (values: Record<string, string | undefined>) => {
    const next = new URLSearchParams(search)
    for (const [name, value] of Object.entries(values)) {
      if (value) next.set(name, value)
      else next.delete(name)
    }
    navigate(next.size > 0 ? `${here}?${next}` : here, { replace: true })
  }
  if (id) return <RequestDetail id={id} back={here} />
  return (
    <div className="adm-page">
      <header>
        <h1 className="flex-1 max-md:flex-auto">{t`Permintaan khusus`}</h1>
        <SearchInput value={searched} onSearch={(typed) => go({ search: typed })} label={t`Judul atau email`} />
        <nav aria-label={t`Saring permintaan`} className="adm-segments">
          <button type="button" aria-current={mine ? undefined : 'true'} onClick={() => go({ mine: undefined })}>
            {t`Semua`}
          </button>
          <button type="button" aria-current={mine ? 'true' : undefined} onClick={() => go({ mine: 'true' })}>
            {t`Milikku`}
          </button>
        </nav>
      </header>
      <div className="adm-board">
        {columns.map((status) => (
          <Column
            key={status}
            status={status}
            params={{
              ...(mine && status !== 'new' && { mine: 'true' }),
              ...(searched && { search: searched }),
            }}
          />
        ))}
      </div>
    </div>
  )
}
