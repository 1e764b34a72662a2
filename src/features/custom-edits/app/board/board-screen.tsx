import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Image as ImageIcon } from 'lucide-react'
import { Link } from 'wouter'
import { Avatar } from '#ui/admin/badge.tsx'
import { useListAddress } from '#ui/admin/list-address.ts'
import { AdminPage } from '#ui/admin/page.tsx'
import { LinkTabs } from '#ui/admin/tabs.tsx'
import { SearchField } from '#ui/admin/toolbar.tsx'
import { LoadFailed } from '#ui/load-failed.tsx'
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
    <span className="-my-1 ml-auto" title={name}>
      <Avatar name={name} />
      <span className="sr-only">{name}</span>
    </span>
  )
}

function Card({ request }: { request: BoardEditView }) {
  const { id, title, user, designer, attachments } = request
  return (
    <li>
      <Link to={`${here}?id=${id}`} className="card gap-1 rounded-field p-3 shadow-xs hover:border-field-line">
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
    <section className="board-column" aria-label={i18n._(customEditLabels[status])}>
      <h2>
        {i18n._(customEditLabels[status])}{' '}
        <span className="tabular-nums font-normal text-muted">{data?.nextCursor ? `${count}+` : count}</span>
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
  const address = useListAddress()
  const { id, mine, search } = address.params
  if (id) return <RequestDetail id={id} back={here} />
  return (
    <AdminPage
      title={t`Permintaan khusus`}
      actions={
        <>
          <SearchField address={address} label={t`Judul atau email`} />
          <LinkTabs
            boxed
            label={t`Saring permintaan`}
            tabs={[
              { id: 'all', name: t`Semua`, to: address.href({ mine: undefined }) },
              { id: 'mine', name: t`Milikku`, to: address.href({ mine: 'true' }) },
            ]}
            current={mine ? 'mine' : 'all'}
          />
        </>
      }
    >
      <div className="board">
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
