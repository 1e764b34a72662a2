import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { errorText } from '#app/errors.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Field } from '#app/ui/field.tsx'
import { type ChangeRequest, useChange } from '../calls.ts'

/** Asks why before something is done that others will feel; what the server refuses is said inside. */
export function ReasonDialog({
  title,
  text,
  confirm,
  danger = false,
  request,
  said,
  children,
  onClose,
}: {
  title: string
  text?: ReactNode
  /** What the button says. */
  confirm: string
  danger?: boolean
  /** The call, made of what was written. */
  request: (reason: string) => ChangeRequest
  /** What is said when it is done. */
  said: string
  /** Fields above the reason. */
  children?: ReactNode
  onClose: () => void
}) {
  const { t } = useLingui()
  const [reason, setReason] = useState('')
  const [asked, setAsked] = useState(false)
  const change = useChange({ said, onDone: onClose, quiet: true })
  const missing = asked && reason.trim() === ''
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    setAsked(true)
    if (reason.trim() !== '') change.mutate(request(reason.trim()))
  }
  return (
    <Dialog open onClose={onClose} title={title}>
      <form noValidate className="grid gap-4" onSubmit={submit}>
        {text && <p className="text-muted leading-relaxed">{text}</p>}
        {children}
        <Field label={t`Alasan`} error={missing ? t`Tulis alasannya; ia tercatat di log audit.` : undefined}>
          {(ids) => (
            <textarea
              {...ids}
              rows={3}
              maxLength={500}
              className="input w-full py-2 text-base"
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
          )}
        </Field>
        {change.error && (
          <p role="alert" className="font-medium text-error text-sm">
            {errorText(change.error)}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <Button variant="ghost" onClick={onClose}>{t`Batal`}</Button>
          <Button type="submit" variant={danger ? 'danger' : 'primary'} busy={change.isPending}>
            {confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
