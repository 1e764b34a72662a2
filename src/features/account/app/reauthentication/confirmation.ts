import { atom } from 'jotai'
import { store } from '#client/session.ts'
import { sessionKeys } from '#client/storage.ts'

/** What needs more than a token. */
const purposes = ['password', 'email', 'delete', 'security'] as const
export type Purpose = (typeof purposes)[number]

/**
 * A provider's confirmation that came back to this page because its window was blocked; only in
 * memory, and used once.
 */
export const confirmationAtom = atom<{ purpose: Purpose; confirmation: string } | null>(null)

/** Notes what the confirmation is for while this page is away at the provider's. */
export function keepPurpose(purpose: Purpose): void {
  sessionStorage.setItem(sessionKeys.confirmationPurpose, purpose)
}

/** Takes a confirmation that this tab asked for; false when it asked for none. */
export function takeConfirmation(confirmation: string): boolean {
  const purpose = takePurpose()
  if (purpose) store.set(confirmationAtom, { purpose, confirmation })
  return purpose !== null
}

/** What this tab left for, once; null when it left for signing in. */
export function takePurpose(): Purpose | null {
  const kept = sessionStorage.getItem(sessionKeys.confirmationPurpose)
  sessionStorage.removeItem(sessionKeys.confirmationPurpose)
  return purposes.find((purpose) => purpose === kept) ?? null
}
