import { localKeys } from '#client/storage.ts'

/** The address that was registered on this device and has not signed in yet. */
export function registeredEmail(): string {
  // While pages are prerendered there is no device.
  return typeof window === 'undefined' ? '' : (localStorage.getItem(localKeys.registeredEmail) ?? '')
}

export function rememberRegisteredEmail(email: string): void {
  localStorage.setItem(localKeys.registeredEmail, email)
}

/** Somebody is signed in. */
export function forgetRegisteredEmail(): void {
  localStorage.removeItem(localKeys.registeredEmail)
}
