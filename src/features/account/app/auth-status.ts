import { atom } from 'jotai'
import { store } from '#client/session.ts'
import { onSignOut } from '#client/sign-out.ts'
import type { Factor } from '#shared/session.ts'

type AuthStatus = 'idle' | 'auth-loading' | 'verify-email' | 'reset-password' | 'success' | 'error'

/** `tempEmail` is the recipient of the verification or reset mail, '' before. */
export const authStatusAtom = atom<{ status: AuthStatus; tempEmail: string }>({ status: 'idle', tempEmail: '' })

export function setAuthStatus(status: AuthStatus, tempEmail = store.get(authStatusAtom).tempEmail): void {
  store.set(authStatusAtom, { status, tempEmail })
}

/** Second factor requested after the first step of a sign-in. */
export const challengeAtom = atom<{ token: string; factors: Factor[]; remember: boolean } | null>(null)

export function leaveAuthForm(): void {
  if (store.get(authStatusAtom).status !== 'success') setAuthStatus('idle')
  store.set(challengeAtom, null)
}

onSignOut('auth form', (reason) => {
  if (reason === 'ended') setAuthStatus('idle')
  else if (reason === 'signed-out') setAuthStatus('idle', '')
})
