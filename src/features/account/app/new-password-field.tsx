import { useLingui } from '@lingui/react/macro'
import { Check, Circle } from 'lucide-react'
import { type ComponentProps, useEffect, useState } from 'react'
import { isConnectionFast } from '#client/connection.ts'
import { passwordRules } from '#shared/credentials.ts'
import { PasswordField } from '#ui/field.tsx'

const barColours = ['bg-error', 'bg-error', 'bg-warning', 'bg-success', 'bg-success']

export function NewPasswordField({
  password,
  personal = [],
  ...field
}: ComponentProps<typeof PasswordField> & {
  password: string
  /** Name and address, for the strength estimate. */
  personal?: string[]
}) {
  const { t } = useLingui()
  const strength = useStrength(password, personal)
  const rules: Record<(typeof passwordRules)[number]['key'], string> = {
    'password.minLength': t`8 karakter`,
    'password.lowercase': t`huruf kecil`,
    'password.uppercase': t`huruf besar`,
    'password.number': t`angka`,
    'password.specialChar': t`karakter khusus, misalnya ! atau ?`,
  }
  const strengths = [
    t`Sangat mudah ditebak. Coba gabungkan beberapa kata.`,
    t`Mudah ditebak. Coba gabungkan beberapa kata.`,
    t`Lumayan. Lebih panjang lebih kuat.`,
    t`Kuat.`,
    t`Sangat kuat.`,
  ]
  return (
    <PasswordField
      autoComplete="new-password"
      {...field}
      hint={
        <>
          <span className="flex flex-wrap gap-x-3 gap-y-1">
            {passwordRules.map(({ key, holds }) => {
              const met = holds(password)
              const Mark = met ? Check : Circle
              return (
                <span key={key} className={`inline-flex items-center gap-1 ${met ? 'text-success' : ''}`}>
                  <Mark aria-hidden className={met ? 'size-4' : 'size-4 scale-75 opacity-70'} />
                  {rules[key]}
                </span>
              )
            })}
          </span>
          {password !== '' && (
            <span className="mt-2 flex min-h-5 items-center gap-3" data-strength={strength ?? undefined}>
              <span aria-hidden="true" className="flex w-24 shrink-0 gap-1">
                {[1, 2, 3, 4].map((step) => (
                  <span
                    key={step}
                    className={`h-1.5 flex-1 rounded-full ${strength !== null && Math.max(strength, 1) >= step ? barColours[strength] : 'bg-base-300'}`}
                  />
                ))}
              </span>
              {strength !== null && strengths[strength]}
            </span>
          )}
        </>
      }
    />
  )
}

/** Returns 0 to 4, null while unknown. Only a hint: the rules of `#shared/password.ts` decide. */
function useStrength(password: string, about: string[] = []): number | null {
  const [strength, setStrength] = useState<number | null>(null)
  const known = about.join('\n')
  useEffect(() => {
    // The estimator is not worth the data on slow connections.
    if (password === '' || !isConnectionFast()) {
      setStrength(null)
      return
    }
    let current = true
    // An estimate takes a phone some time.
    const timer = setTimeout(() => {
      import('../password-strength.ts').then(
        ({ estimateStrength }) => current && setStrength(estimateStrength(password, known.split('\n'))),
        () => current && setStrength(null),
      )
    }, 200)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [password, known])
  return strength
}
