import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { errorText } from '#client/errors.ts'
import { toolMessageMax } from '#features/generations/rules.ts'
import { useChange } from '#ui/admin/queries.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { TextField } from '#ui/field.tsx'
import { useToolName } from '../tool-name.ts'

/** Asks what people are told while a tool is off. */
export function SwitchOffDialog({ tool, onClose }: { tool: string; onClose: () => void }) {
  const { t } = useLingui()
  const name = useToolName()(tool)
  const [message, setMessage] = useState('')
  const change = useChange({ said: t`${name} sudah dimatikan.`, onDone: onClose, quiet: true })
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    change.mutate({ path: `/api/admin/tools/${tool}`, method: 'PATCH', json: { enabled: false, message } })
  }
  return (
    <Dialog open onClose={onClose} title={t`Matikan ${name}?`}>
      <form className="grid gap-4" onSubmit={submit}>
        <p className="text-muted leading-relaxed">
          {t`Pembuatan yang sudah berjalan tetap selesai; yang baru ditolak tanpa memotong kredit.`}
        </p>
        <TextField
          label={t`Pesan untuk pengguna`}
          hint={t`Misalnya kapan alat ini kembali. Boleh kosong.`}
          maxLength={toolMessageMax}
          value={message}
          onChange={(event) => setMessage(event.target.value)}
        />
        {change.error && (
          <p role="alert" className="font-medium text-error text-sm">
            {errorText(change.error)}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <Button variant="ghost" onClick={onClose}>{t`Batal`}</Button>
          <Button type="submit" variant="danger" busy={change.isPending}>{t`Matikan`}</Button>
        </div>
      </form>
    </Dialog>
  )
}
