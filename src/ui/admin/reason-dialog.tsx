import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { reasonMax } from '#contract/reason.ts'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { Field } from '../field.tsx'
import { FormRefusal, useFormProblems } from './form-problems.tsx'
import { type ChangeRequest, useChange } from './queries.ts'

/**
 * Asks why before something is done that others will feel; what the server refuses is said inside.
 */
export function ReasonDialog({
  title,
  text,
  confirm,
  danger = false,
  request,
  said,
  sentences = {},
  known,
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
  /** What each field above the reason takes, by its name in the request. */
  sentences?: Record<string, string>
  /** Of those fields' problems that have a sentence of their own. */
  known?: Record<string, string>
  /** Fields above the reason, told what is wrong with each. */
  children?: (problemOf: (field: string) => string | undefined) => ReactNode
  onClose: () => void
}) {
  const { t } = useLingui()
  const [reason, setReason] = useState('')
  const [asked, setAsked] = useState(false)
  const change = useChange({ said, onDone: onClose, quiet: true })
  const problems = useFormProblems(change.error, sentences, known)
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
        {children?.(problems.of)}
        <Field label={t`Alasan`} error={missing ? t`Tulis alasannya. Alasan ini tercatat di log audit.` : undefined}>
          {(ids) => (
            <textarea
              {...ids}
              rows={3}
              maxLength={reasonMax}
              className={`textarea w-full text-base ${missing ? 'textarea-error' : ''}`}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
          )}
        </Field>
        <FormRefusal>{problems.rest}</FormRefusal>
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
