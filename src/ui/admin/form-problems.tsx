import { useLingui } from '@lingui/react/macro'
import { ApiError } from '#client/api.ts'
import { errorText } from '#client/errors.ts'

/**
 * What the server found wrong, a sentence for each field that `sentences` names, which says what
 * the field takes, unless `known` has one for the problem itself; `rest` is the server's own
 * sentence where no field is to blame.
 */
export function useFormProblems<Field extends string>(
  error: unknown,
  sentences: Record<Field, string>,
  known: Record<string, string> = {},
) {
  const { t } = useLingui()
  const details: Record<string, string> = error instanceof ApiError ? error.details : {}
  const of = (field: Field): string | undefined => {
    const problem = details[field]
    if (problem === undefined) return undefined
    return problem === 'form.required' ? t`Bagian ini wajib diisi` : (known[problem] ?? sentences[field])
  }
  const blamed = Object.keys(details).some((field) => Object.hasOwn(sentences, field))
  return { of, rest: error && !blamed ? errorText(error) : undefined }
}

/** Why a form was refused as a whole. */
export function FormRefusal({ children }: { children: string | undefined }) {
  if (!children) return null
  return (
    <p role="alert" className="font-medium text-error text-sm">
      {children}
    </p>
  )
}
