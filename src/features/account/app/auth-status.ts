import { atom } from 'jotai'
import { store } from '#client/session.ts'
import { onSignOut } from '#client/sign-out.ts'
import type { Factor } from '../rules.ts'

export type AuthStatus = 'idle' | 'auth-loading' | 'verify-email' | 'reset-password' | 'success' | 'error'

/**
 * Outcome of the last sign-in, registration or reset request: `verify-email` after registering,
 * `reset-password` after requesting the mail, with the recipient in `tempEmail` ('' before). The
 * screens derive their notices from it.
 */
export const authStatusAtom = atom<{ status: AuthStatus; tempEmail: string }>({ status: 'idle', tempEmail: '' })

/** Sets the status and the recipient of a mail. */
export function setAuthStatus(status: AuthStatus, tempEmail = store.get(authStatusAtom).tempEmail): void {
  store.set(authStatusAtom, { status, tempEmail })
}

/** Second factor requested after the first step of a sign-in. */
export const challengeAtom = atom<{ token: string; factors: Factor[]; remember: boolean } | null>(null)

/** A notice of one form does not belong to the next one. */
export function leaveAuthForm(): void {
  if (store.get(authStatusAtom).status !== 'success') setAuthStatus('idle')
  store.set(challengeAtom, null)
}

onSignOut('auth form', (reason) => {
  if (reason === 'ended') setAuthStatus('idle')
  else if (reason === 'signed-out') setAuthStatus('idle', '')
})
