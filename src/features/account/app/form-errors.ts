import { useLingui } from '@lingui/react/macro'
import type { FieldErrors, FieldValues, Path, UseFormSetError } from 'react-hook-form'
import { ApiError } from '#client/api.ts'
import { problemText } from './validation.ts'

/** The sentence under a field. */
export function useProblem<Form extends FieldValues>(errors: FieldErrors<Form>) {
  const { i18n } = useLingui()
  return (field: keyof Form & string): string | undefined =>
    problemText(errors[field]?.message as string | undefined, (message) => i18n._(message))
}

/** Puts what the server found wrong under the fields of the form; the rest is in the notice. */
export function showServerProblems<Form extends FieldValues>(error: unknown, setError: UseFormSetError<Form>): void {
  if (!(error instanceof ApiError)) return
  for (const [field, message] of Object.entries(error.details)) {
    setError(field as Path<Form>, { type: 'server', message }, { shouldFocus: true })
  }
}
