import { del, get, set } from 'idb-keyval'
import { atom, getDefaultStore } from 'jotai'
import { sharedStore } from '#client/device/device-store.ts'
import type { AuthUser, TokenClaims } from '#contract/session.ts'

/** localStorage and IndexedDB key of the raw access token. */
export const tokenKey = 'authToken'
const lastUserKey = 'lastUser'

export type AuthStatus = 'idle' | 'auth-loading' | 'verify-email' | 'reset-password' | 'success' | 'error'

/**
 * Why what belongs to a person has to leave this device. When a session only `ended`, what the
 * person was doing (drafts, waiting uploads, the screen) stays for their return, while pictures and
 * records that were kept for reading go.
 */
type CleanupReason = 'signed-out' | 'other-user' | 'ended'
type Cleanup = (reason: CleanupReason) => void | Promise<void>

/** The claims of a token, or null when it is not one. Its signature is the server's business. */
export function readClaims(token: string): TokenClaims | null {
  try {
    const body = token.split('.')[1] ?? ''
    const bytes = Uint8Array.from(atob(body.replace(/-/g, '+').replace(/_/g, '/')), (letter) => letter.charCodeAt(0))
    const claims = JSON.parse(new TextDecoder().decode(bytes)) as TokenClaims
    return typeof claims.exp === 'number' && typeof claims.sub?.id === 'string' ? claims : null
  } catch {
    return null
  }
}

function isCurrent(token: string): boolean {
  const claims = readClaims(token)
  return claims !== null && claims.exp * 1000 > Date.now()
}

export const store = getDefaultStore()

/** Whose things this tab may still have in its memory. */
let shownPerson: string | null = null

const heldTokenAtom = atom<string | null>(null)
/** The token as it is stored: raw, without quotes. Only signIn and signOut change it. */
export const tokenAtom = atom((get) => get(heldTokenAtom))
export const userAtom = atom<AuthUser | null>((get) => {
  const token = get(heldTokenAtom)
  return token && isCurrent(token) ? (readClaims(token)?.sub ?? null) : null
})
/** What the server wants done before anything else. */
export const dutyAtom = atom((get) => {
  const token = get(heldTokenAtom)
  return token === null ? undefined : readClaims(token)?.due
})
export const isAuthenticatedAtom = atom((get) => get(userAtom) !== null)
export const statusAtom = atom<AuthStatus>('idle')
export const isLoadingAtom = atom((get) => get(statusAtom) === 'auth-loading')
/** The address a verification or reset mail was just sent to. */
export const tempEmailAtom = atom('')
/** The balance as last received; 0 at the start. Follows the balance query. */
export const creditsAtom = atom(0)
/**
 * True after the server or the clock ended a session that this tab was using; drafts and waiting
 * uploads stay.
 */
export const sessionEndedAtom = atom(false)

const cleanups = new Set<Cleanup>()

/**
 * Registers what must go when a person signs out or another one signs in; returns how to unregister
 * it.
 */
export function onSignOut(cleanup: Cleanup): () => void {
  cleanups.add(cleanup)
  return () => cleanups.delete(cleanup)
}

async function cleanUp(reason: CleanupReason): Promise<void> {
  store.set(creditsAtom, 0)
  await Promise.allSettled([...cleanups].map(async (cleanup) => cleanup(reason)))
}

/** The service worker reads the token here; a browser without IndexedDB has no use for it. */
async function mirrorToken(token: string | null): Promise<void> {
  try {
    await (token === null ? del(tokenKey, sharedStore) : set(tokenKey, token, sharedStore))
  } catch {
    // Private windows may refuse; the page itself has its token.
  }
}

async function forgetToken(): Promise<void> {
  localStorage.removeItem(tokenKey)
  store.set(heldTokenAtom, null)
  await mirrorToken(null)
}

/**
 * A browser that is killed within seconds of signing in forgets localStorage, but not IndexedDB.
 */
async function recoverToken(): Promise<void> {
  const mirrored = await get<string>(tokenKey, sharedStore).catch(() => undefined)
  if (mirrored && isCurrent(mirrored) && localStorage.getItem(tokenKey) === null) await signIn(mirrored)
}

/** Whether this device knows of anybody who is or was signed in here. */
export function wasSignedIn(): boolean {
  return localStorage.getItem(tokenKey) !== null || localStorage.getItem(lastUserKey) !== null
}

/** Reads the stored token; an expired one is removed. Called once before the first screen. */
export function restoreSession(): void {
  const token = localStorage.getItem(tokenKey)
  if (token !== null && isCurrent(token)) {
    store.set(heldTokenAtom, token)
    shownPerson = readClaims(token)?.sub.id ?? null
    void mirrorToken(token)
  } else if (token !== null) {
    void forgetToken()
    store.set(sessionEndedAtom, true)
    // Those who register for it do so right after this.
    queueMicrotask(() => void cleanUp('ended'))
  } else void recoverToken()
  window.addEventListener('storage', (event) => {
    if (event.key === tokenKey || event.key === null) followOtherTab()
  })
}

/**
 * Another tab signed in or out. What this tab remembers of somebody who left, or whose place
 * another took, goes by starting over.
 */
function followOtherTab(): void {
  const token = localStorage.getItem(tokenKey)
  store.set(heldTokenAtom, token)
  const person = token === null ? null : (readClaims(token)?.sub.id ?? null)
  const left = person === null && localStorage.getItem(lastUserKey) === null
  if (shownPerson !== null && (left || (person !== null && person !== shownPerson))) window.location.reload()
  shownPerson ??= person
}

/** Takes a fresh token. What a different person left on this device goes first. */
export async function signIn(token: string): Promise<AuthUser> {
  const user = readClaims(token)?.sub
  if (!user || !isCurrent(token)) throw new Error('The token is expired or not a token')
  const lastUser = localStorage.getItem(lastUserKey)
  if (lastUser !== null && lastUser !== user.id) await cleanUp('other-user')
  localStorage.setItem(lastUserKey, user.id)
  localStorage.setItem(tokenKey, token)
  await mirrorToken(token)
  store.set(heldTokenAtom, token)
  shownPerson = user.id
  store.set(sessionEndedAtom, false)
  store.set(statusAtom, 'success')
  return user
}

/** Forgets the token in both places and everything of this person that was kept on the device. */
export async function signOut(): Promise<void> {
  // First, for it tells other tabs why the token goes.
  localStorage.removeItem(lastUserKey)
  shownPerson = null
  await forgetToken()
  store.set(statusAtom, 'idle')
  store.set(sessionEndedAtom, false)
  store.set(tempEmailAtom, '')
  await cleanUp('signed-out')
}

/**
 * The server said that this token no longer counts: ask to sign in again, and keep what the person
 * was doing, but nothing that they only read.
 */
export async function endSession(token: string): Promise<void> {
  if (store.get(heldTokenAtom) !== token) return
  store.set(statusAtom, 'idle')
  store.set(sessionEndedAtom, true)
  await forgetToken()
  await cleanUp('ended')
}

/**
 * The person signed this device out from another one: what it holds of them goes, as if they had
 * done it here.
 */
export async function forgetSession(token: string): Promise<void> {
  if (store.get(heldTokenAtom) !== token) return
  await signOut()
  store.set(sessionEndedAtom, true)
}
