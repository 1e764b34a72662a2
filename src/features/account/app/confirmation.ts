import { atom } from 'jotai'
import { store } from '#client/session.ts'
import { sessionKeys } from '#client/storage.ts'

/** What needs more than a token. */
const sensitiveTasks = ['password', 'email', 'delete', 'security'] as const
export type Sensitive = (typeof sensitiveTasks)[number]

/**
 * A provider's confirmation that came back to this page because its window was blocked; only in
 * memory, and used once.
 */
export const confirmationAtom = atom<{ purpose: Sensitive; confirmation: string } | null>(null)

/** Notes what the confirmation is for while this page is away at the provider's. */
export function keepPurpose(purpose: Sensitive): void {
  sessionStorage.setItem(sessionKeys.confirmationPurpose, purpose)
}

/** Takes a confirmation that this tab asked for; false when it asked for none. */
export function takeConfirmation(confirmation: string): boolean {
  const purpose = takePurpose()
  if (!purpose) return false
  store.set(confirmationAtom, { purpose, confirmation })
  return true
}

/** What this tab left for, once; null when it left for signing in. */
export function takePurpose(): Sensitive | null {
  const purpose = sessionStorage.getItem(sessionKeys.confirmationPurpose)
  sessionStorage.removeItem(sessionKeys.confirmationPurpose)
  return sensitiveTasks.find((task) => task === purpose) ?? null
}
