import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { Clock, UserCheck } from 'lucide-react'
import { useState } from 'react'
import { serverNow } from '#client/device/server-time.ts'
import { formatAge } from '#client/format.ts'
import { userAtom } from '#client/session.ts'
import { ChoiceFilter } from '#ui/admin/filters.tsx'
import { adminQuery, useChange } from '#ui/admin/queries.ts'
import type { AssignableWork } from '../../rules.ts'
import type { Colleagues } from '../../schemas.ts'

interface Assigned {
  assignee: { id: string; name: string } | null
  dueAt: string | null
}

/** `path` is the work's, below /api/admin/. */
export function AssigneeSelect({
  work,
  path,
  assignee,
}: Pick<Assigned, 'assignee'> & { work: AssignableWork; path: string }) {
  const { t } = useLingui()
  const me = useAtomValue(userAtom)
  // A dialog keeps the work as it was when it was opened.
  const [chosen, setChosen] = useState(assignee?.id ?? '')
  const { data } = useQuery(adminQuery<Colleagues>('colleagues', { work }))
  const { mutate, isPending } = useChange({ successMessage: t`Penanggung jawab tersimpan.` })
  const others = (data?.items ?? []).filter(({ id }) => id !== me?.id)
  const isAble = data?.items.some(({ id }) => id === me?.id)
  const isUnlisted = assignee && data && !data.items.some(({ id }) => id === assignee.id)
  return (
    <select
      aria-label={t`Ditangani`}
      className="select w-full max-w-56 border-line"
      disabled={!data || isPending}
      value={chosen}
      onChange={({ target: { value } }) => {
        setChosen(value)
        mutate(
          { path: `${path}/assignee`, method: 'PUT', json: { assignee: value || null } },
          { onError: () => setChosen(chosen) },
        )
      }}
    >
      <option value="">{t`Belum ada`}</option>
      {me && isAble && <option value={me.id}>{t`Aku`}</option>}
      {others.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
      {(isUnlisted || (assignee && !data)) && <option value={assignee.id}>{assignee.name}</option>}
    </select>
  )
}

export function AssignedFilter() {
  const { t } = useLingui()
  return (
    <ChoiceFilter
      name="mine"
      label={t`Penanggung jawab`}
      all={t`Ditangani siapa saja`}
      choices={{ true: t`Tugasku` }}
    />
  )
}

/** Assignee and due time; empty without both. */
export function AssignedCell({ assignee, dueAt }: Assigned) {
  const { t } = useLingui()
  const isOverdue = dueAt !== null && new Date(dueAt).getTime() < serverNow()
  return (
    <span className="grid gap-0.5">
      {assignee && (
        <span className="inline-flex items-center gap-1.5">
          <UserCheck aria-hidden className="size-3.5 shrink-0 text-muted" />
          <span className="sr-only">{t`Ditangani`}</span>
          {assignee.name}
        </span>
      )}
      {dueAt && (
        <span
          className={`inline-flex items-center gap-1 whitespace-nowrap text-xs ${isOverdue ? 'font-semibold text-error' : 'text-muted'}`}
        >
          <Clock aria-hidden className="size-3" />
          {isOverdue ? t`lewat tenggat ${formatAge(dueAt)}` : t`tenggat ${formatAge(dueAt)}`}
        </span>
      )}
    </span>
  )
}
