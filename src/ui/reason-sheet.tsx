import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { BottomSheet } from './dialog.tsx'
import { TextAreaField } from './field.tsx'
import { Form, FormProblem, useForm } from './form.tsx'

/** Asks for one of several reasons and for details, and closes once they are sent. */
export function ReasonSheet<Reason extends string>({
  title,
  intro,
  question,
  reasons,
  other,
  details,
  action,
  onSend,
  onClose,
  children,
}: {
  title: string
  intro: ReactNode
  /** For screen readers. */
  question: string
  reasons: Readonly<Record<Reason, string>>
  /** The reason that needs details. */
  other: Reason
  details: { max: number; missing: MessageDescriptor }
  action: string
  onSend: (reason: Reason, details: string) => Promise<void>
  onClose: () => void
  children?: ReactNode
}) {
  const { t } = useLingui()
  const form = useForm({
    defaultValues: { reason: '', details: '' },
    texts: { reason: msg`Pilih alasannya dulu, ya.`, details: details.missing },
    check: ({ reason, details }) => ({
      reason: reason === '' ? 'reason' : null,
      details: reason === other && details.trim() === '' ? 'details' : null,
    }),
    send: async ({ reason, details }) => {
      await onSend(reason as Reason, details.trim())
      onClose()
    },
  })
  return (
    <BottomSheet open onClose={onClose} title={title}>
      <Form form={form} className="@container grid grid-cols-1 gap-4">
        <p className="text-muted text-sm leading-relaxed">{intro}</p>
        <fieldset className="grid gap-1">
          <legend className="sr-only">{question}</legend>
          {Object.entries<string>(reasons).map(([reason, text]) => (
            <label
              key={reason}
              className="flex min-h-11 cursor-pointer items-center gap-3 rounded-field px-3 py-2 has-checked:bg-soft has-checked:text-on-soft"
            >
              <input
                type="radio"
                value={reason}
                className="size-5 shrink-0 accent-primary"
                {...form.register('reason')}
              />
              {text}
            </label>
          ))}
        </fieldset>
        <TextAreaField
          label={form.watch('reason') === other ? t`Ceritakan` : t`Ceritakan (boleh dikosongkan)`}
          rows={2}
          maxLength={details.max}
          aria-invalid={Boolean(form.errorOf('details'))}
          {...form.register('details')}
        />
        <div className="reason-footer -bottom-5 -mx-6 -mb-5 grid gap-2 bg-base-100 px-6 pb-5">
          {/* Messages have their line, so that the button stays where it is. */}
          <div className="min-h-5">
            <FormProblem>{form.errorOf('reason') ?? form.errorOf('details') ?? form.problem}</FormProblem>
          </div>
          <Button type="submit" size="lg" busy={form.busy}>
            {action}
          </Button>
          {children}
        </div>
      </Form>
    </BottomSheet>
  )
}
