import { atom } from 'jotai'
import { store } from '#client/session.ts'
import { sessionKeys } from '#client/storage.ts'

const purposes = ['password', 'email', 'delete', 'security'] as const
export type Purpose = (typeof purposes)[number]

/**
 * Confirmation that returned to this page because popups were blocked; in memory only, used once.
 */
export const confirmationAtom = atom<{ purpose: Purpose; confirmation: string } | null>(null)

export function storeConfirmationPurpose(purpose: Purpose): void {
  sessionStorage.setItem(sessionKeys.confirmationPurpose, purpose)
}

/** Accepts only a confirmation that this tab requested. */
export function acceptConfirmation(confirmation: string): boolean {
  const purpose = takeConfirmationPurpose()
  if (purpose) store.set(confirmationAtom, { purpose, confirmation })
  return purpose !== null
}

/** Works once; null for a sign-in. */
export function takeConfirmationPurpose(): Purpose | null {
  const kept = sessionStorage.getItem(sessionKeys.confirmationPurpose)
  sessionStorage.removeItem(sessionKeys.confirmationPurpose)
  return purposes.find((purpose) => purpose === kept) ?? null
}
