import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { formatDateTime } from '#client/format.ts'
import { noteMax } from '#features/custom-edits/rules.ts'
import { Panel } from '#ui/admin/page.tsx'
import { useChange } from '#ui/admin/queries.ts'
import { Button } from '#ui/button.tsx'
import type { BoardEditDetail } from '../../types.ts'
import { boardPath } from './api.ts'

/** What designers write for each other; customers never see it. */
export function Notes({ request: { id, notes } }: { request: BoardEditDetail }) {
  const { t } = useLingui()
  const [text, setText] = useState('')
  const add = useChange({ onDone: () => setText('') })
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    if (text.trim() !== '') add.mutate({ path: `${boardPath}/${id}/notes`, json: { text } })
  }
  return (
    <Panel title={t`Catatan tim`}>
      <ol>
        {notes.map(({ id: note, author, text: written, createdAt }) => (
          <li key={note} className="border-line border-b px-4 py-2.5">
            <p className="whitespace-pre-line">{written}</p>
            <p className="text-muted text-xs">
              {author} · {formatDateTime(createdAt)}
            </p>
          </li>
        ))}
      </ol>
      <form className="flex p-4 items-end gap-2" onSubmit={submit}>
        <textarea
          rows={2}
          maxLength={noteMax}
          aria-label={t`Catatan baru`}
          placeholder={t`Hanya terlihat oleh tim`}
          className="textarea min-h-11 flex-1"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="submit" variant="outline" busy={add.isPending}>{t`Simpan`}</Button>
      </form>
    </Panel>
  )
}
