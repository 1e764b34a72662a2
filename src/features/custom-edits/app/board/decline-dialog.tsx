import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { declineReasonMax } from '#features/custom-edits/rules.ts'
import { useChange } from '#ui/admin/queries.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Field } from '#ui/field.tsx'
import { boardPath } from './api.ts'

/** Asks why a request cannot be done; the customer reads it. */
export function DeclineDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useLingui()
  const [reason, setReason] = useState('')
  const [asked, setAsked] = useState(false)
  const decline = useChange({ said: t`Pelanggan mendapat alasanmu lewat email.`, onDone: onClose })
  const missing = asked && reason.trim() === ''
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    setAsked(true)
    if (reason.trim() !== '') decline.mutate({ path: `${boardPath}/${id}/decline`, json: { reason } })
  }
  return (
    <Dialog open onClose={onClose} title={t`Tolak permintaan ini?`}>
      <form noValidate className="grid gap-4" onSubmit={submit}>
        <Field label={t`Alasan untuk pelanggan`} error={missing ? t`Bagian ini wajib diisi` : undefined}>
          {(ids) => (
            <textarea
              {...ids}
              rows={4}
              maxLength={declineReasonMax}
              className={`textarea w-full text-base ${missing ? 'textarea-error' : ''}`}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
          )}
        </Field>
        <div className="flex justify-end gap-2">
          <Button variant="ghost" onClick={onClose}>{t`Batal`}</Button>
          <Button type="submit" variant="danger" busy={decline.isPending}>{t`Tolak`}</Button>
        </div>
      </form>
    </Dialog>
  )
}
