import { del, get, set } from 'idb-keyval'
import { atom, getDefaultStore } from 'jotai'
import { type AccessToken, type AuthUser, readToken } from '#contract/session.ts'
import { sharedStore } from './device/device-store.ts'
import { clearUserData } from './sign-out.ts'
import { localKeys } from './storage.ts'

const isCurrent = (token: AccessToken | null): token is AccessToken => token !== null && token.expiresAt > Date.now()

export const store = getDefaultStore()

/** Whose things this tab may still have in its memory. */
let shownPerson: string | null = null

const heldAtom = atom<AccessToken | null>(null)
/** The token as it is stored: raw, without quotes. Only signIn and signOut change it. */
export const tokenAtom = atom((get) => get(heldAtom)?.raw ?? null)
export const sessionIdAtom = atom((get) => get(heldAtom)?.session)
export const userAtom = atom<AuthUser | null>((get) => {
  const token = get(heldAtom)
  return isCurrent(token) ? token.user : null
})
/** What the server wants done before anything else. */
export const requiredActionAtom = atom((get) => get(heldAtom)?.due)
export const isAuthenticatedAtom = atom((get) => get(userAtom) !== null)
/**
 * True after the server or the clock ended a session that this tab was using; drafts and waiting
 * uploads stay.
 */
export const sessionEndedAtom = atom(false)

/** The token that page and queue send with; other tabs change it too. */
export const storedToken = (): AccessToken | null => readToken(localStorage.getItem(localKeys.token))

/** The id of who is signed in on this device or, after the session ended, was the last to be. */
export const lastUserId = (): string | null => storedToken()?.user.id ?? localStorage.getItem(localKeys.lastUser)

/** The service worker reads the token here; a browser without IndexedDB has no use for it. */
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

/**
 * A browser that is killed within seconds of signing in forgets localStorage, but not IndexedDB.
 */
async function recoverToken(): Promise<void> {
  const mirrored = readToken(await get<string>(localKeys.token, sharedStore).catch(() => undefined))
  if (isCurrent(mirrored) && localStorage.getItem(localKeys.token) === null) await signIn(mirrored.raw)
}

/** Reads the stored token; an expired one is removed. Called once before the first screen. */
export function restoreSession(): void {
  const token = storedToken()
  if (isCurrent(token)) {
    store.set(heldAtom, token)
    shownPerson = token.user.id
    void mirrorToken(token.raw)
  } else if (localStorage.getItem(localKeys.token) !== null) {
    void forgetToken()
    store.set(sessionEndedAtom, true)
    // Those who register for it do so right after this.
    queueMicrotask(() => void clearUserData('ended'))
  } else void recoverToken()
  window.addEventListener('storage', (event) => {
    if (event.key === localKeys.token || event.key === null) followOtherTab()
  })
}

/**
 * Another tab signed in or out. What this tab remembers of somebody who left, or whose place
 * another took, goes by starting over.
 */
function followOtherTab(): void {
  const token = storedToken()
  store.set(heldAtom, token)
  const person = token?.user.id ?? null
  const left = person === null && localStorage.getItem(localKeys.lastUser) === null
  if (shownPerson !== null && (left || (person !== null && person !== shownPerson))) window.location.reload()
  shownPerson ??= person
}

/** Takes a fresh token. What a different person left on this device goes first. */
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
  shownPerson = user.id
  store.set(sessionEndedAtom, false)
  return user
}

/** Forgets the token in both places and everything of this person that was kept on the device. */
export async function signOut(): Promise<void> {
  // First, for it tells other tabs why the token goes.
  localStorage.removeItem(localKeys.lastUser)
  shownPerson = null
  await forgetToken()
  store.set(sessionEndedAtom, false)
  await clearUserData('signed-out')
}

/**
 * The server said that this token no longer counts: ask to sign in again, and keep what the person
 * was doing, but nothing that they only read.
 */
export async function endSession(token: string): Promise<void> {
  if (store.get(tokenAtom) !== token) return
  store.set(sessionEndedAtom, true)
  await forgetToken()
  await clearUserData('ended')
}

/**
 * The person signed this device out from another one: what it holds of them goes, as if they had
 * done it here.
 */
export async function forgetSession(token: string): Promise<void> {
  if (store.get(tokenAtom) !== token) return
  await signOut()
  store.set(sessionEndedAtom, true)
}
