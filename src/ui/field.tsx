import './late-components.css'
import type { MessageDescriptor } from '@lingui/core'
import { useLingui } from '@lingui/react/macro'
import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId, useState } from 'react'

interface Labelled {
  label: ReactNode
  error?: string | undefined
  hint?: ReactNode
}

export function Field({
  label,
  error,
  hint,
  children,
}: Labelled & { children: (ids: { id: string; 'aria-invalid'?: true; 'aria-describedby'?: string }) => ReactNode }) {
  const id = useId()
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ')
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm font-semibold">
        {label}
      </label>
      {children({
        id,
        ...(error && { 'aria-invalid': true }),
        ...(describedBy && { 'aria-describedby': describedBy }),
      })}
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="text-sm font-medium text-error">
          {error}
        </p>
      )}
    </div>
  )
}

type Input = ComponentProps<'input'> & Labelled

const inputClass = (error: string | undefined) => `input w-full text-base ${error ? 'input-error' : ''}`

export function TextField({ label, error, hint, className = '', ...rest }: Input) {
  return (
    <Field label={label} error={error} hint={hint}>
      {(ids) => <input {...rest} {...ids} className={`${inputClass(error)} ${className}`} />}
    </Field>
  )
}

/** The account name unless `autoComplete` says otherwise. */
export function EmailField(props: Input) {
  return (
    <TextField
      type="email"
      inputMode="email"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      {...props}
    />
  )
}

export function BirthYearField(props: Input) {
  return <TextField inputMode="numeric" autoComplete="bday-year" maxLength={4} placeholder="1998" {...props} />
}

export function TextAreaField({ label, error, hint, ...rest }: ComponentProps<'textarea'> & Labelled) {
  return (
    <Field label={label} error={error} hint={hint}>
      {(ids) => (
        <textarea {...rest} {...ids} className={`textarea w-full text-base ${error ? 'textarea-error' : ''}`} />
      )}
    </Field>
  )
}

export function PasswordField({ label, error, hint, ...rest }: Omit<Input, 'label'> & { label: string }) {
  const { t } = useLingui()
  const [shown, setShown] = useState(false)
  const Icon = shown ? EyeOff : Eye
  const name = label.toLocaleLowerCase()
  return (
    <Field label={label} error={error} hint={hint}>
      {(ids) => (
        <div className="relative">
          <input {...rest} {...ids} type={shown ? 'text' : 'password'} className={`${inputClass(error)} pr-12`} />
          <button
            type="button"
            className="absolute inset-y-0 right-0 z-1 grid w-11 cursor-pointer place-items-center rounded-field text-muted"
            aria-label={shown ? t`Sembunyikan ${name}` : t`Tampilkan ${name}`}
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
          >
            <Icon aria-hidden className="size-5" />
          </button>
        </div>
      )}
    </Field>
  )
}

/** Large enough for a thumb. */
export function CheckboxField({ label, error, ...rest }: ComponentProps<'input'> & Omit<Labelled, 'hint'>) {
  const id = useId()
  return (
    <div className="grid gap-1">
      <div className="flex items-start gap-3">
        <input
          {...rest}
          id={id}
          type="checkbox"
          className="checkbox checked:checkbox-primary mt-2.5"
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
        />
        <label htmlFor={id} className="min-h-11 flex-1 cursor-pointer py-2.5 text-sm leading-relaxed">
          {label}
        </label>
      </div>
      {error && (
        <p id={`${id}-error`} className="text-sm font-medium text-error">
          {error}
        </p>
      )}
    </div>
  )
}

export type Choices = Record<string, MessageDescriptor | string>

export function Options({ choices }: { choices: Choices }) {
  const { i18n } = useLingui()
  return Object.entries(choices).map(([value, name]) => (
    <option key={value} value={value}>
      {typeof name === 'string' ? name : i18n._(name)}
    </option>
  ))
}

export function SelectField({
  label,
  error,
  hint,
  choices,
  ...rest
}: ComponentProps<'select'> & Labelled & { choices: Choices }) {
  return (
    <Field label={label} error={error} hint={hint}>
      {(ids) => (
        <select {...rest} {...ids} className="select w-full">
          <Options choices={choices} />
        </select>
      )}
    </Field>
  )
}
