import { atom } from 'jotai'
import { store } from '#client/session.ts'
import { sessionKeys } from '#client/storage.ts'

/** Actions that need re-authentication. */
const purposes = ['password', 'email', 'delete', 'security'] as const
export type Purpose = (typeof purposes)[number]

/**
 * A provider's confirmation that returned to this page because its window was blocked; in memory
 * only, used once.
 */
export const confirmationAtom = atom<{ purpose: Purpose; confirmation: string } | null>(null)

/** Stores the purpose of a confirmation while this page is away at the provider. */
export function keepPurpose(purpose: Purpose): void {
  sessionStorage.setItem(sessionKeys.confirmationPurpose, purpose)
}

/** Takes a confirmation that this tab requested; false otherwise. */
export function takeConfirmation(confirmation: string): boolean {
  const purpose = takePurpose()
  if (purpose) store.set(confirmationAtom, { purpose, confirmation })
  return purpose !== null
}

/** Purpose for which this tab left, once; null for a sign-in. */
export function takePurpose(): Purpose | null {
  const kept = sessionStorage.getItem(sessionKeys.confirmationPurpose)
  sessionStorage.removeItem(sessionKeys.confirmationPurpose)
  return purposes.find((purpose) => purpose === kept) ?? null
}
