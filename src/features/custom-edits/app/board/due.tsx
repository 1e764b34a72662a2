import { useLingui } from '@lingui/react/macro'
import { Clock } from 'lucide-react'
import { formatAge } from '#app/format.ts'
import type { BoardEditView } from '../../contract.ts'

/** When a request is due, or was finished. */
export function Due({ request }: { request: Pick<BoardEditView, 'dueAt' | 'overdue' | 'finishedAt'> }) {
  const { t } = useLingui()
  const { dueAt, overdue, finishedAt } = request
  if (finishedAt) return <span className="text-muted">{t`selesai ${formatAge(finishedAt)}`}</span>
  return (
    <span className={`inline-flex items-center gap-1 ${overdue ? 'font-semibold text-error' : 'text-muted'}`}>
      <Clock aria-hidden className="size-3.5" />
      {overdue ? t`lewat tenggat ${formatAge(dueAt)}` : t`tenggat ${formatAge(dueAt)}`}
    </span>
  )
}
