import { useEffect } from 'react'
import { onSignOut } from '#client/sign-out.ts'
import { localKeys, readStoredJson, sessionKeys } from '#client/storage.ts'
import type { RegisterForm } from '../rules.ts'

const blank: RegisterForm = {
  name: '',
  email: '',
  password: '',
  confirmPassword: '',
  birthYear: '',
  agreeToTerms: false,
}

/** Passwords stay in memory; other values survive a reload. */
let held: RegisterForm | undefined

export function storedRegistration(): RegisterForm {
  return held ?? { ...blank, ...readStoredJson<RegisterForm>(sessionKeys.registration, () => sessionStorage) }
}

export function useStoreRegistration(values: RegisterForm): void {
  useEffect(() => {
    held = values
    const { name, email, birthYear, agreeToTerms } = values
    if (name === '' && email === '') return
    sessionStorage.setItem(sessionKeys.registration, JSON.stringify({ name, email, birthYear, agreeToTerms }))
  }, [values])
}

/** Keeps only the address, for a user who returns by the mailed link. */
export function finishRegistration(email: string): void {
  held = undefined
  sessionStorage.removeItem(sessionKeys.registration)
  localStorage.setItem(localKeys.registeredEmail, email)
}

export function registeredEmail(): string {
  // Prerendering has no device.
  return typeof window === 'undefined' ? '' : (localStorage.getItem(localKeys.registeredEmail) ?? '')
}

onSignOut('registration', () => {
  held = undefined
})
