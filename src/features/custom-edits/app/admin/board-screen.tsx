import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Clock, Image as ImageIcon, Star } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { formatAge, formatNumber } from '#client/format.ts'
import { SearchFilter } from '#ui/admin/filters.tsx'
import { AdminPage } from '#ui/admin/page.tsx'
import { Button } from '#ui/button.tsx'
import { Avatar } from '#ui/lists/cells.tsx'
import { useListParams } from '#ui/lists/list-params.ts'
import { Loaded } from '#ui/lists/query-state.tsx'
import { LinkTabs } from '#ui/lists/tabs.tsx'
import { customEditLabels } from '../../labels.ts'
import type { CustomEditStatus } from '../../rules.ts'
import type { BoardEditView } from '../../schemas.ts'
import { Stars } from '../star-rating.tsx'
import { boardQuery, countsQuery } from './api.ts'
import { EditScreen } from './edit-screen.tsx'

function Due({ status, dueAt, overdue, finishedAt }: BoardEditView) {
  const { t } = useLingui()
  if (finishedAt) {
    const age = formatAge(finishedAt)
    return <span className="text-muted">{status === 'declined' ? t`ditolak ${age}` : t`selesai ${age}`}</span>
  }
  return (
    <span className={`inline-flex items-center gap-1 ${overdue ? 'font-semibold text-error' : 'text-muted'}`}>
      <Clock aria-hidden className="size-3.5" />
      {overdue ? t`lewat tenggat ${formatAge(dueAt)}` : t`tenggat ${formatAge(dueAt)}`}
    </span>
  )
}

const boardRoute = '/admin/request-custom'
const columns: CustomEditStatus[] = ['new', 'in_progress', 'done', 'declined']

function Card({ edit }: { edit: BoardEditView }) {
  const { id, title, user, designer, attachments } = edit
  return (
    <li>
      <Link to={`${boardRoute}?id=${id}`} className="card gap-1 rounded-field p-3 shadow-xs hover:border-field-line">
        <strong className="line-clamp-2">{title}</strong>
        <span className="text-muted">{user.name}</span>
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs">
          <Due {...edit} />
          {edit.rating && <Stars count={edit.rating.stars} />}
          {attachments.length > 0 && (
            <span className="inline-flex items-center gap-1 text-muted">
              <ImageIcon aria-hidden className="size-3.5" />
              {attachments.length}
            </span>
          )}
          {designer && (
            <span className="-my-1 ml-auto" title={designer.name}>
              <Avatar name={designer.name} />
              <span className="sr-only">{designer.name}</span>
            </span>
          )}
        </span>
      </Link>
    </li>
  )
}

function Column({ status, params }: { status: CustomEditStatus; params: Record<string, string> }) {
  const { i18n, t } = useLingui()
  // Finished requests are rarely viewed, and there are ever more of them.
  const [few, setFew] = useState(status === 'done' || status === 'declined')
  const query = useQuery(boardQuery({ ...params, status, limit: few ? '5' : '50' }))
  const count = query.data?.items.length ?? 0
  const name = i18n._(customEditLabels[status])
  return (
    <section aria-label={name} className="flex min-h-0 flex-col gap-2.5 rounded-box bg-base-300/40 p-3">
      <h2 className="font-bold text-[0.9375rem]">
        {name}{' '}
        <span className="font-normal text-muted tabular-nums">{query.data?.nextCursor ? `${count}+` : count}</span>
      </h2>
      <div className="-m-1 p-1 md:overflow-y-auto">
        <Loaded query={query} height="h-24">
          {({ items }) =>
            items.length === 0 ? (
              <p className="px-1 py-6 text-center text-muted">{t`Kosong`}</p>
            ) : (
              <ul className="grid gap-2">
                {items.map((edit) => (
                  <Card key={edit.id} edit={edit} />
                ))}
              </ul>
            )
          }
        </Loaded>
        {few && query.data?.nextCursor && (
          <Button variant="ghost" className="mt-2 w-full" onClick={() => setFew(false)}>
            {t`Tampilkan lebih banyak`}
          </Button>
        )}
      </div>
    </section>
  )
}

/** One digit after the comma is as much as a few dozen ratings tell. */
const inStars = (average: number) => formatNumber(Math.round(10 * average) / 10)

function Ratings() {
  const { t } = useLingui()
  const { data } = useQuery(countsQuery)
  if (!data || data.averageStars === null) return null
  const { ratings, averageStars, ownAverageStars } = data
  const average = inStars(averageStars)
  return (
    <p className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-1 text-muted text-sm">
      <span className="inline-flex items-center gap-1.5">
        <Star aria-hidden className="size-4 fill-current text-primary" />
        {t`${average} dari 5 · ${plural(ratings, { other: '# penilaian' })}`}
      </span>
      {ownAverageStars !== null && <span>{t`Hasilmu: ${inStars(ownAverageStars)}`}</span>}
    </p>
  )
}

export function BoardScreen() {
  const { t } = useLingui()
  const { params, href } = useListParams()
  const { id, mine, search } = params
  if (id) return <EditScreen id={id} back={boardRoute} />
  return (
    <AdminPage
      title={t`Permintaan khusus`}
      actions={
        <>
          <SearchFilter label={t`Judul atau email`} />
          <LinkTabs
            boxed
            label={t`Saring permintaan`}
            tabs={[
              { id: 'all', name: t`Semua`, to: href({ mine: undefined }) },
              { id: 'mine', name: t`Milikku`, to: href({ mine: 'true' }) },
            ]}
            current={mine ? 'mine' : 'all'}
          />
        </>
      }
    >
      <Ratings />
      <div className="grid gap-3 md:h-[calc(100dvh-9.75rem)] md:min-h-96 md:grid-cols-[repeat(4,minmax(14rem,1fr))] md:overflow-x-auto">
        {columns.map((status) => (
          <Column
            key={status}
            status={status}
            params={{ ...(mine && status !== 'new' && { mine }), ...(search && { search }) }}
          />
        ))}
      </div>
    </AdminPage>
  )
}
