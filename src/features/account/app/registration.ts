import { useEffect } from 'react'
import { onSignOut } from '#client/sign-out.ts'
import { localKeys, readKept, sessionKeys } from '#client/storage.ts'
import type { RegisterForm } from '../rules.ts'

const blank: RegisterForm = { name: '', email: '', password: '', confirmPassword: '', agreeToTerms: false }

/** Passwords stay in the memory of the page; everything else survives a reload too. */
let held: RegisterForm | undefined

/**
 * What was typed into the form before somebody went to read the terms, or the page was reloaded.
 */
export function keptRegistration(): RegisterForm {
  return held ?? { ...blank, ...readKept<RegisterForm>(sessionKeys.registration, () => sessionStorage) }
}

/** Keeps what is typed until the account is there. */
export function useKeepRegistration(values: RegisterForm): void {
  useEffect(() => {
    held = values
    const { name, email, agreeToTerms } = values
    if (name === '' && email === '') return
    sessionStorage.setItem(sessionKeys.registration, JSON.stringify({ name, email, agreeToTerms }))
  }, [values])
}

/**
 * The account is there: only its address is still of use, to whoever comes back by the link of the
 * mail.
 */
export function finishRegistration(email: string): void {
  held = undefined
  sessionStorage.removeItem(sessionKeys.registration)
  localStorage.setItem(localKeys.registeredEmail, email)
}

/** The address that was registered on this device and has not signed in yet. */
export function registeredEmail(): string {
  // While pages are prerendered there is no device.
  return typeof window === 'undefined' ? '' : (localStorage.getItem(localKeys.registeredEmail) ?? '')
}

onSignOut('registration', () => {
  held = undefined
})
