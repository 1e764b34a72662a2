import { useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { apiFetch } from '#client/api.ts'
import { formatDate } from '#client/format.ts'
import { isAuthenticatedAtom } from '#client/session.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Badge } from '#ui/lists/badge.tsx'
import { useAction } from '#ui/use-action.ts'
import { customEditLabels, customEditTones } from '../labels.ts'
import type { CustomEditView } from '../types.ts'
import { customEditsQuery } from './api.ts'

function Edit({ edit }: { edit: CustomEditView }) {
  const { i18n, t } = useLingui()
  const { title, status, createdAt, dueAt, reason, results } = edit
  const open = status === 'new' || status === 'in_progress'
  return (
    <li className="card grid grid-cols-1 content-start gap-3 p-4">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <p className="line-clamp-2 font-semibold">{title}</p>
          <p className="text-muted text-sm">
            {open ? t`Paling lambat ${formatDate(dueAt)}` : t`Dikirim ${formatDate(createdAt)}`}
          </p>
        </div>
        <Badge tone={customEditTones[status]}>{i18n._(customEditLabels[status])}</Badge>
      </div>
      {status === 'new' && <Withdraw id={edit.id} title={title} />}
      {reason && <p className="text-sm leading-relaxed">{reason}</p>}
      {results.length > 0 && (
        <ul className="flex flex-wrap gap-2">
          {results.map(({ id, url, name }, index) => (
            <li key={id}>
              <a className="btn btn-soft btn-primary" href={url ?? undefined} download={name}>
                <Download aria-hidden className="size-4" /> {t`Hasil ${index + 1}`}
              </a>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

/** Takes an edit back that no designer has taken yet. */
function Withdraw({ id, title }: Pick<CustomEditView, 'id' | 'title'>) {
  const { t } = useLingui()
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const withdraw = useAction(async () => {
    try {
      await apiFetch(`/api/custom_edits/${id}/cancel`, { method: 'POST' })
    } finally {
      setAsking(false)
      await client.invalidateQueries({ queryKey: customEditsQuery.queryKey })
    }
  }, t`Permintaanmu sudah ditarik.`)
  return (
    <>
      <Button variant="outline" className="justify-self-start" onClick={() => setAsking(true)}>
        {t`Tarik permintaan`}
      </Button>
      <Dialog open={asking} onClose={() => setAsking(false)} title={t`Tarik permintaan ini?`}>
        <p className="text-muted leading-relaxed">
          {t`"${title}" dihapus bersama fotonya. Kamu bisa mengirim permintaan lain kapan saja.`}
        </p>
        <div className="mt-5 flex justify-end gap-2">
          <Button variant="ghost" onClick={() => setAsking(false)}>{t`Batal`}</Button>
          <Button variant="danger" busy={withdraw.isPending} onClick={() => withdraw.mutate()}>{t`Tarik`}</Button>
        </div>
      </Dialog>
    </>
  )
}

export function OwnEdits() {
  const { t } = useLingui()
  const signedIn = useAtomValue(isAuthenticatedAtom)
  const { data } = useQuery({ ...customEditsQuery, enabled: signedIn })
  if (!data || data.items.length === 0) return null
  return (
    <section aria-labelledby="custom-edits" className="mb-8">
      <h2 id="custom-edits" className="mb-3 font-bold text-lg">{t`Edit khusus`}</h2>
      <ul className="grid grid-cols-1 gap-3 md:grid-cols-2">
        {data.items.map((edit) => (
          <Edit key={edit.id} edit={edit} />
        ))}
      </ul>
    </section>
  )
}
