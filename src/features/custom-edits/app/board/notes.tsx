import { useLingui } from '@lingui/react/macro'
import { useForm } from 'react-hook-form'
import { formatDateTime } from '#client/format.ts'
import { noteMax } from '#features/custom-edits/rules.ts'
import { useChange } from '#ui/admin/queries.ts'
import { Button } from '#ui/button.tsx'
import { Panel, Rows } from '#ui/panel.tsx'
import type { BoardEditDetail } from '../../types.ts'
import { editPath } from './api.ts'

/** What designers write for each other; customers never see it. */
export function Notes({ edit: { id, notes } }: { edit: BoardEditDetail }) {
  const { t } = useLingui()
  const { register, handleSubmit, reset } = useForm({ defaultValues: { text: '' } })
  const add = useChange({ onDone: reset })
  const submit = handleSubmit((json) => json.text.trim() !== '' && add.mutate({ path: `${editPath(id)}/notes`, json }))
  return (
    <Panel title={t`Catatan tim`}>
      <Rows
        rows={notes.map((note) => ({
          key: note.id,
          text: <span className="whitespace-pre-line">{note.text}</span>,
          note: `${note.author} · ${formatDateTime(note.createdAt)}`,
        }))}
      />
      <form className="flex items-end gap-2 p-4" onSubmit={submit}>
        <textarea
          rows={2}
          maxLength={noteMax}
          aria-label={t`Catatan baru`}
          placeholder={t`Hanya terlihat oleh tim`}
          className="textarea min-h-11 flex-1"
          {...register('text')}
        />
        <Button type="submit" variant="outline" busy={add.isPending}>{t`Simpan`}</Button>
      </form>
    </Panel>
  )
}
