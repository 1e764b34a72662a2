import { onSignOut } from '#client/session.ts'

const key = 'registeredEmail'

/** The address that was registered on this device and has not signed in yet. */
export function registeredEmail(): string {
  // While pages are prerendered there is no device.
  return typeof window === 'undefined' ? '' : (localStorage.getItem(key) ?? '')
}

export function rememberRegisteredEmail(email: string): void {
  localStorage.setItem(key, email)
}

/** Somebody is signed in. */
export function forgetRegisteredEmail(): void {
  localStorage.removeItem(key)
}

onSignOut(forgetRegisteredEmail)
