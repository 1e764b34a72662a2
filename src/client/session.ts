import { del, get, set } from 'idb-keyval'
import { atom, getDefaultStore } from 'jotai'
import { type AccessToken, type AuthUser, readToken } from '#shared/session.ts'
import { sharedStore } from './device/device-store.ts'
import { clockKey, restoreClock, serverNow } from './device/server-time.ts'
import { clearUserData } from './sign-out.ts'
import { localKeys } from './storage.ts'

/**
 * False if both clocks say that the token has expired. The device's may be wrong, and so may what
 * is known of the server's before the first response; then a 401 decides.
 */
export const isCurrent = (token: AccessToken | null): token is AccessToken =>
  token !== null && token.expiresAt > Math.min(Date.now(), serverNow())

export const store = getDefaultStore()

/** User whose data may still be in this tab's memory. */
let shownUserId: string | null = null

const heldAtom = atom<AccessToken | null>(null)
/** Raw token as stored, without quotes; only signIn and signOut change it. */
export const tokenAtom = atom((get) => get(heldAtom)?.raw ?? null)
export const sessionIdAtom = atom((get) => get(heldAtom)?.session)
export const userAtom = atom<AuthUser | null>((get) => {
  const token = get(heldAtom)
  return isCurrent(token) ? token.user : null
})
/** Action that the server demands before anything else. */
export const requiredActionAtom = atom((get) => get(heldAtom)?.due)
export const isAuthenticatedAtom = atom((get) => get(userAtom) !== null)
/** True after the server or the clock ended a session that this tab was using. */
export const sessionEndedAtom = atom(false)

/** Read on each request, since other tabs change it. */
export const storedToken = (): AccessToken | null => readToken(localStorage.getItem(localKeys.token))

/** After the session ended, the id of its user. */
export const lastUserId = (): string | null => storedToken()?.user.id ?? localStorage.getItem(localKeys.lastUser)

/** Mirrors the token for the service worker, which cannot read localStorage. */
async function mirrorToken(raw: string | null): Promise<void> {
  try {
    await (raw === null ? del(localKeys.token, sharedStore) : set(localKeys.token, raw, sharedStore))
  } catch {
    // Private windows may refuse; the page itself has its token.
  }
}

async function forgetToken(): Promise<void> {
  localStorage.removeItem(localKeys.token)
  store.set(heldAtom, null)
  await mirrorToken(null)
}

/** A browser killed within seconds of signing in loses localStorage, but not IndexedDB. */
async function recoverToken(): Promise<void> {
  const mirrored = readToken(await get<string>(localKeys.token, sharedStore).catch(() => undefined))
  if (isCurrent(mirrored) && localStorage.getItem(localKeys.token) === null) await signIn(mirrored.raw)
}

/** Called once before the first screen. */
export function restoreSession(): void {
  restoreClock(localStorage.getItem(clockKey))
  const token = storedToken()
  if (isCurrent(token)) {
    store.set(heldAtom, token)
    shownUserId = token.user.id
    void mirrorToken(token.raw)
  } else if (localStorage.getItem(localKeys.token) !== null) {
    void forgetToken()
    store.set(sessionEndedAtom, true)
    // Parts that register for the clearing do so right after this.
    queueMicrotask(() => void clearUserData('ended'))
  } else void recoverToken()
  window.addEventListener('storage', (event) => {
    if (event.key === localKeys.token || event.key === null) followOtherTab()
  })
}

/** A reload clears the previous user's data from this tab's memory. */
function followOtherTab(): void {
  const token = storedToken()
  store.set(heldAtom, token)
  const person = token?.user.id ?? null
  const left = person === null && localStorage.getItem(localKeys.lastUser) === null
  if (shownUserId !== null && (left || (person !== null && person !== shownUserId))) window.location.reload()
  shownUserId ??= person
}

/** Clears a different user's data on this device first. */
export async function signIn(raw: string): Promise<AuthUser> {
  const token = readToken(raw)
  if (!isCurrent(token)) throw new Error('The token is expired or not a token')
  const { user } = token
  const lastUser = localStorage.getItem(localKeys.lastUser)
  if (lastUser !== null && lastUser !== user.id) await clearUserData('other-user')
  localStorage.setItem(localKeys.lastUser, user.id)
  localStorage.setItem(localKeys.token, raw)
  await mirrorToken(raw)
  store.set(heldAtom, token)
  shownUserId = user.id
  store.set(sessionEndedAtom, false)
  return user
}

/** Removes the token in both stores and all of the user's data on this device. */
export async function signOut(): Promise<void> {
  // Removed first, because it tells other tabs why the token goes.
  localStorage.removeItem(localKeys.lastUser)
  shownUserId = null
  await forgetToken()
  store.set(sessionEndedAtom, false)
  await clearUserData('signed-out')
}

/** The server rejected the token: keeps unfinished work, clears data that was only read. */
export async function endSession(token: string): Promise<void> {
  if (store.get(tokenAtom) !== token) return
  store.set(sessionEndedAtom, true)
  await forgetToken()
  await clearUserData('ended')
}

/** The user signed this device out from another one: clears the same data as a local sign-out. */
export async function forgetSession(token: string): Promise<void> {
  if (store.get(tokenAtom) !== token) return
  await signOut()
  store.set(sessionEndedAtom, true)
}
