import { Check, Circle } from 'lucide-react'
import type { ComponentProps } from 'react'
import { passwordRules } from '#contract/password.ts'
import { PasswordField } from '#ui/field.tsx'
import { useStrength } from './strength.ts'

export interface PasswordWords {
  rules: Record<(typeof passwordRules)[number]['key'], string>
  /** From what is guessed at once to what nobody guesses. */
  strengths: [string, string, string, string, string]
}

/** The auth screens are Indonesian in every language. */
export const indonesianWords: PasswordWords = {
  rules: {
    'password.minLength': '8 karakter',
    'password.lowercase': 'huruf kecil',
    'password.uppercase': 'huruf besar',
    'password.number': 'angka',
    'password.specialChar': 'simbol, misalnya ! atau ?',
  },
  strengths: [
    'Sangat mudah ditebak. Coba gabungkan beberapa kata.',
    'Mudah ditebak. Coba gabungkan beberapa kata.',
    'Lumayan. Lebih panjang lebih kuat.',
    'Kuat.',
    'Sangat kuat.',
  ],
}

const barColours = ['bg-error', 'bg-error', 'bg-warning', 'bg-success', 'bg-success']

/** A new password: its rules, ticked off while typing, and a hint at how hard it is to guess. */
export function NewPasswordField({
  password,
  personal = [],
  words,
  ...field
}: ComponentProps<typeof PasswordField> & {
  /** What stands in the field now. */
  password: string
  /** What is known about the person: name, address. */
  personal?: string[]
  words: PasswordWords
}) {
  const strength = useStrength(password, personal)
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
                  {words.rules[key]}
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
              {strength !== null && words.strengths[strength]}
            </span>
          )}
        </>
      }
    />
  )
}
