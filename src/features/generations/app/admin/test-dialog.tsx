import { useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { apiJson, errorText } from '#client/api.ts'
import { formatDollars, formatSeconds } from '#client/format.ts'
import { closeDialog } from '#ui/admin/dialogs.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { SelectField } from '#ui/field.tsx'
import type { ProviderTestView } from '../../schemas.ts'

/** Uses a built-in portrait. */
export function TestDialog({ id, tasks }: { id: string; tasks: readonly string[] }) {
  const { t } = useLingui()
  const client = useQueryClient()
  const [task, setTask] = useState(tasks[0])
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: () => {
      const query = new URLSearchParams({ provider: id, task: task ?? '' })
      return apiJson<ProviderTestView>(`/api/admin/providers/test?${query}`, { method: 'POST' })
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['admin'] }),
  })
  const failed = error ? errorText(error) : data?.failed
  return (
    <Dialog open onClose={closeDialog} title={t`Coba ${id}`}>
      <div className="grid gap-4">
        <p className="text-muted text-sm">
          {t`Server mengirim potret contohnya sendiri, bukan foto pengguna. Biayanya dihitung seperti pembuatan biasa.`}
        </p>
        <SelectField
          label={t`Tugas`}
          choices={Object.fromEntries(tasks.map((name) => [name, name]))}
          value={task}
          disabled={isPending}
          onChange={({ target }) => setTask(target.value)}
        />
        <Button busy={isPending} onClick={() => mutate()}>{t`Coba sekarang`}</Button>
        <div role="status" className="grid gap-2">
          {data?.picture && (
            <img
              src={`data:image/png;base64,${data.picture}`}
              alt={t`Hasil percobaan`}
              className="checker w-full rounded-lg"
            />
          )}
          {failed && <p className="text-danger text-sm">{failed}</p>}
          {data && (
            <p className="text-muted text-sm">
              {[formatSeconds(data.seconds), data.cost !== null && formatDollars(data.cost)]
                .filter(Boolean)
                .join(' · ')}
            </p>
          )}
        </div>
      </div>
    </Dialog>
  )
}
