import { useEffect } from 'react'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { onSignOut } from '#client/sign-out.ts'
import { sessionKeys } from '#client/storage.ts'
import type { RegisterForm } from './api.ts'
import { rememberRegisteredEmail } from './registered-email.ts'

const blank: RegisterForm = { name: '', email: '', password: '', confirmPassword: '', agreeToTerms: false }

/** Passwords stay in the memory of the page; everything else survives a reload too. */
let held: RegisterForm | undefined

function readFields(): Partial<RegisterForm> {
  try {
    return JSON.parse(sessionStorage.getItem(sessionKeys.registration) ?? '{}') as Partial<RegisterForm>
  } catch {
    return {}
  }
}

/**
 * What was typed into the form before somebody went to read the terms, or the page was reloaded.
 */
export function keptRegistration(): RegisterForm {
  return held ?? { ...blank, ...readFields() }
}

/** Keeps what is typed until the account is there. */
export function useKeepRegistration({ control }: UseFormReturn<RegisterForm>): void {
  const values = useWatch({ control })
  useEffect(() => {
    held = { ...blank, ...values }
    const { name, email, agreeToTerms } = held
    if (name !== '' || email !== '')
      sessionStorage.setItem(sessionKeys.registration, JSON.stringify({ name, email, agreeToTerms }))
  }, [values])
}

/**
 * The account is there: only its address is still of use, to whoever comes back by the link of the
 * mail.
 */
export function finishRegistration(email: string): void {
  forgetRegistration()
  rememberRegisteredEmail(email)
}

function forgetRegistration(): void {
  held = undefined
  sessionStorage.removeItem(sessionKeys.registration)
}

onSignOut('registration', forgetRegistration)
