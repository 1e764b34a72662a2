import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { FieldValues } from 'react-hook-form'
import { ApiError } from '#client/api.ts'
import { formatDateTime } from '#client/format.ts'
import { reasonMaxLength } from '#shared/reason.ts'
import { Button } from '../button.tsx'
import { Dialog, type DialogProps } from '../dialog.tsx'
import { TextAreaField } from '../field.tsx'
import { Form, FormProblem, type FormTexts, useForm } from '../form.tsx'
import { closeDialog } from './dialogs.tsx'
import { type Change, type SuccessMessage, useChange } from './queries.ts'

type Fields<Values extends FieldValues> = ReturnType<typeof useForm<Values & { reason: string }>>

interface FormDialogProps<Values extends FieldValues> extends Pick<DialogProps, 'title' | 'layout'> {
  text?: ReactNode
  confirm?: string | ((values: Values) => string)
  danger?: boolean | ((values: Values) => boolean)
  successMessage: SuccessMessage
  /** None where only a reason is asked for. */
  values?: Values
  change: Change | ((values: Values) => Change)
  /** By default only readers of the audit log see it. */
  reason?: boolean | { label: string; max: number }
  texts?: FormTexts
  /** Newest first. */
  past?: { at: string; text: ReactNode }[]
  children?: (form: Fields<Values>) => ReactNode
}

export function FormDialog<Values extends FieldValues>({
  text,
  confirm,
  danger,
  successMessage,
  values,
  change,
  reason: asksReason = false,
  texts,
  past = [],
  children,
  ...dialog
}: FormDialogProps<Values>) {
  const { t } = useLingui()
  const { mutateAsync } = useChange({ successMessage, quiet: true })
  const form = useForm<Values & { reason: string }>({
    defaultValues: { ...values, reason: '' } as never,
    texts,
    send: ({ reason, ...given }) => {
      const { json, ...call } = typeof change === 'function' ? change(given as unknown as Values) : change
      const sent = call.body
        ? call
        : { ...call, json: { ...(json as object), ...(asksReason && { reason: reason.trim() }) } }
      return mutateAsync(sent, { onSuccess: closeDialog })
    },
  })
  // The data behind the dialog has been refetched by now.
  const outdated = form.failure instanceof ApiError && form.failure.code === 'change.outdated'
  const now = <Value,>(value: Value | ((values: Values) => Value)) =>
    value instanceof Function ? value(form.watch()) : value
  return (
    <Dialog open onClose={closeDialog} {...dialog}>
      <Form form={form} className="grid gap-4">
        {text && <p className="text-muted leading-relaxed">{text}</p>}
        {children?.(form)}
        {asksReason && (
          <TextAreaField
            label={asksReason === true ? t`Alasan` : asksReason.label}
            hint={asksReason === true && t`Tercatat di log audit.`}
            maxLength={asksReason === true ? reasonMaxLength : asksReason.max}
            rows={3}
            {...form.field('reason' as never)}
          />
        )}
        <FormProblem>{form.problem}</FormProblem>
        <div className="sticky -bottom-6 -mx-6 -mb-6 flex justify-end gap-2 bg-base-100 px-6 pt-2 pb-6">
          <Button variant="ghost" onClick={closeDialog}>{t`Batal`}</Button>
          {outdated ? (
            <Button onClick={closeDialog}>{t`Lihat yang terbaru`}</Button>
          ) : (
            <Button type="submit" variant={now(danger) ? 'danger' : 'primary'} busy={form.busy}>
              {now(confirm) ?? t`Simpan`}
            </Button>
          )}
        </div>
      </Form>
      {past.length > 0 && (
        <>
          <h3 className="mt-5 mb-2 font-bold">{t`Riwayat`}</h3>
          <ol className="max-h-48 overflow-y-auto text-sm">
            {past.map(({ at, text: before }) => (
              <li key={at} className="flex justify-between gap-3 py-1">
                <span className="text-muted">{formatDateTime(at)}</span> <span className="tabular-nums">{before}</span>
              </li>
            ))}
          </ol>
        </>
      )}
    </Dialog>
  )
}
