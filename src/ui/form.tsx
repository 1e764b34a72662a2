import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react'
import { type ReactNode, useState } from 'react'
import {
  type FieldValues,
  get,
  type Path,
  type RegisterOptions,
  type UseFormProps,
  useForm as useFields,
} from 'react-hook-form'
import { ApiError, errorText } from '#client/api.ts'
import { Button } from './button.tsx'

/** By message key, by error code, or by field name for its expected format. */
export type FormTexts = Record<string, MessageDescriptor | string>

type Problems = Record<string, string | null | undefined>

const commonTexts: FormTexts = {
  required: msg`Bagian ini wajib diisi`,
  'form.required': msg`Bagian ini wajib diisi`,
  'form.invalid': msg`Isian ini tidak bisa dipakai`,
}

interface FormOptions<Values extends FieldValues> extends Pick<UseFormProps<Values>, 'defaultValues' | 'values'> {
  check?: (values: Values) => Problems | Promise<Problems>
  /** A thrown error is shown. */
  send: (values: Values) => unknown
  texts?: FormTexts
  /** Field of a refusal whose `details` name none. */
  fieldForError?: (refusal: ApiError) => string | undefined
}

/**
 * Problems of `check` or the server's `details` appear below their field; other errors are in
 * `problem`.
 */
export function useForm<Values extends FieldValues>({
  check = () => ({}),
  send,
  texts = {},
  fieldForError,
  ...options
}: FormOptions<Values>) {
  const { i18n } = useLingui()
  const [failure, setFailure] = useState<unknown>(null)
  const [sent, setSent] = useState<Values>()
  const form = useFields<Values>({
    ...options,
    // Its order is the order of registration, not the one on the screen.
    shouldFocusError: false,
    resolver: async (values) => {
      const wrong = Object.entries(await check(values)).filter(([, key]) => key)
      const errors = Object.fromEntries(wrong.map(([field, message]) => [field, { type: 'rule', message }]))
      return wrong.length === 0 ? { values, errors: {} } : { values: {}, errors: errors as never }
    },
  })
  const { errors, isSubmitting } = form.formState

  const detailsOf = (error: unknown, values: Values): [Path<Values>, string][] => {
    if (!(error instanceof ApiError)) return []
    const blamed = fieldForError?.(error)
    const details = Object.entries(blamed ? { [blamed]: error.msg } : error.details)
    return details.filter(([field]) => get(values, field) !== undefined) as [Path<Values>, string][]
  }
  const submit = form.handleSubmit(
    async (values) => {
      setFailure(null)
      setSent(values)
      try {
        await send(values)
      } catch (error) {
        setFailure(error)
        const details = detailsOf(error, values)
        for (const [field, message] of details) form.setError(field, { type: 'server', message })
        focusFirst(details.map(([field]) => field))
      }
    },
    (wrong) => focusFirst(Object.keys(wrong)),
  )

  const sentenceOf = (field: Path<Values>): string | undefined => {
    const key = (get(errors, field) as { message?: string } | undefined)?.message
    if (key === undefined) return undefined
    const text = texts[key] ?? ((key === 'form.invalid' && texts[field]) || commonTexts[key] || key)
    return typeof text === 'string' ? text : i18n._(text)
  }
  return {
    ...form,
    field: (name: Path<Values>, rules?: RegisterOptions<Values>) => ({
      ...form.register(name, rules),
      error: sentenceOf(name),
    }),
    errorOf: sentenceOf,
    submit,
    busy: isSubmitting,
    /** Null for none. */
    sent,
    failure,
    problem: failure !== null && detailsOf(failure, form.getValues()).length === 0 ? errorText(failure) : undefined,
  }
}

/** Focuses the topmost of several fields; scrolls it clear of sticky edges if it is hidden. */
function focusFirst(names: readonly string[]): void {
  const container = document.querySelector('dialog[open]') ?? document.body
  const [first] = names
    .flatMap((name) => container.querySelector<HTMLElement>(`[name="${CSS.escape(name)}"]:not(:disabled)`) ?? [])
    .toSorted((one, other) => (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1))
  if (!first) return
  first.focus({ preventScroll: true })
  const { left, top, width, height } = first.getBoundingClientRect()
  const isVisible = document.elementFromPoint(left + width / 2, top + height / 2) === first
  if (!isVisible) first.scrollIntoView({ block: 'center' })
}

export type FormState = Pick<ReturnType<typeof useForm>, 'submit' | 'busy' | 'failure' | 'problem'>

export function Form({
  form,
  className = 'grid grid-cols-1 gap-5',
  action,
  variant,
  children,
}: {
  form: FormState
  className?: string
  /** Absent where the form has its own buttons. */
  action?: string
  variant?: 'primary' | 'danger'
  children: ReactNode
}) {
  return (
    <form noValidate className={className} onSubmit={(event) => void form.submit(event)}>
      {children}
      {action && (
        <>
          <FormProblem>{form.problem}</FormProblem>
          <Button type="submit" size="lg" variant={variant} busy={form.busy}>
            {action}
          </Button>
        </>
      )}
    </form>
  )
}

export function FormProblem({ children }: { children: string | null | undefined }) {
  if (!children) return null
  return (
    <p role="alert" className="font-medium text-error text-sm">
      {children}
    </p>
  )
}
