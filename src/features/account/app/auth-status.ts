import { atom } from 'jotai'
import { store } from '#client/session.ts'
import { onSignOut } from '#client/sign-out.ts'
import type { Factor } from '../rules.ts'

export type AuthStatus = 'idle' | 'auth-loading' | 'verify-email' | 'reset-password' | 'success' | 'error'

/**
 * What became of the last call of the screens for signing in, registering and asking for a reset
 * mail: `verify-email` after registering, `reset-password` after asking for the mail, and
 * `tempEmail` the address that either was sent to, '' before. The screens show their notices by it.
 */
export const authStatusAtom = atom<{ status: AuthStatus; tempEmail: string }>({ status: 'idle', tempEmail: '' })

/** Sets the status, and the address where a mail was sent. */
export function setAuthStatus(status: AuthStatus, tempEmail = store.get(authStatusAtom).tempEmail): void {
  store.set(authStatusAtom, { status, tempEmail })
}

/** The second factor that is asked for after the first step of a sign-in. */
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
