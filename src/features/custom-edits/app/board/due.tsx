import { useLingui } from '@lingui/react/macro'
import { Clock } from 'lucide-react'
import { formatAge } from '#client/format.ts'
import type { BoardEditView } from '../../types.ts'

/** When an edit is due, or was finished. */
export function Due({ status, dueAt, overdue, finishedAt }: BoardEditView) {
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
