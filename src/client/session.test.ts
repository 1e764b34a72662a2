import 'fake-indexeddb/auto'
import { readFileSync } from 'node:fs'
import { get } from 'idb-keyval'
import { beforeEach, expect, test, vi } from 'vitest'

import {
  endSession,
  forgetSession,
  isAuthenticatedAtom,
  restoreSession,
  sessionEndedAtom,
  signIn,
  signOut,
  store,
  tokenAtom,
  userAtom,
} from './session.ts'
import { onSignOut } from './sign-out.ts'
import { clearStorage, localKeys } from './storage.ts'

const values = new Map<string, string>()
const storage = (entries: Map<string, string>) =>
  new Proxy(
    {
      getItem: (key: string) => entries.get(key) ?? null,
      setItem: (key: string, value: string) => void entries.set(key, value),
      removeItem: (key: string) => void entries.delete(key),
      clear: () => entries.clear(),
    },
    {
      ownKeys: () => [...entries.keys()],
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    },
  )
const localStorage = storage(values)
vi.stubGlobal('localStorage', localStorage)
const tabValues = new Map<string, string>()
vi.stubGlobal('sessionStorage', storage(tabValues))
const reload = vi.fn()
vi.stubGlobal('window', Object.assign(new EventTarget(), { location: { reload } }))

function tokenOf(id: string, expiresInSeconds = 3600): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const sub = { id, name: 'Ayu Ñ 愛', email: 'ayu@contoh.test', role: 'user' }
  const now = Math.floor(Date.now() / 1000)
  return `${part({ alg: 'HS256' })}.${part({ sub, sid: 's', iat: now, exp: now + expiresInSeconds })}.signature`
}

beforeEach(async () => {
  await signOut()
  values.clear()
  tabValues.clear()
})

test('signing in stores the raw token in both stores, signing out removes it from both', async () => {
  const token = tokenOf('a')
  await signIn(token)
  expect(localStorage.getItem('authToken')).toBe(token)
  expect(await get('authToken')).toBe(token)
  expect(store.get(userAtom)?.id).toBe('a')
  await signOut()
  expect(localStorage.getItem('authToken')).toBeNull()
  expect(await get('authToken')).toBeUndefined()
  expect(store.get(isAuthenticatedAtom)).toBe(false)
})

test('at the start a good token signs in and an expired one is removed', async () => {
  localStorage.setItem('authToken', tokenOf('a'))
  restoreSession()
  expect(store.get(userAtom)?.id).toBe('a')
  expect(store.get(sessionEndedAtom)).toBe(false)

  await signOut()
  localStorage.setItem('authToken', tokenOf('a', -1))
  restoreSession()
  expect(store.get(userAtom)).toBeNull()
  expect(localStorage.getItem('authToken')).toBeNull()
  expect(store.get(sessionEndedAtom)).toBe(true)
})

test('on a device whose clock is days wrong, the server’s time decides', async () => {
  const day = 86_400_000
  // Two days ahead: what the server issued an hour ago is still good.
  localStorage.setItem('clockDifference', String(-2 * day))
  localStorage.setItem('authToken', tokenOf('a', -86_400))
  restoreSession()
  expect(store.get(userAtom)?.id).toBe('a')
  await signOut()
  expect((await signIn(tokenOf('a', -86_400))).id).toBe('a')
  await signOut()
  // The clock was set right since: only a 401 ends the session.
  localStorage.setItem('authToken', tokenOf('a'))
  localStorage.setItem('clockDifference', String(2 * day))
  restoreSession()
  expect(store.get(userAtom)?.id).toBe('a')
  await signOut()
  localStorage.removeItem('clockDifference')
  restoreSession()
})

test('an expired token cannot sign in', async () => {
  await expect(signIn(tokenOf('a', -1))).rejects.toThrow()
  expect(store.get(tokenAtom)).toBeNull()
})

test('user data is removed at sign-out and when another user signs in, and in part when the session ends', async () => {
  const reasons: string[] = []
  onSignOut('queries', (reason) => void reasons.push(reason))
  const first = tokenOf('a')
  await signIn(first)
  await endSession(first)
  expect(store.get(sessionEndedAtom)).toBe(true)
  await signIn(tokenOf('a'))
  expect(reasons).toEqual(['ended'])
  await endSession(store.get(tokenAtom) as string)
  await signIn(tokenOf('b'))
  expect(reasons).toEqual(['ended', 'ended', 'other-user'])
  await signOut()
  expect(reasons).toEqual(['ended', 'ended', 'other-user', 'signed-out'])
})

const inStorage = () =>
  [...values.keys(), ...tabValues.keys()].filter((key) => !/^(authToken|lastUser)$/.test(key)).sort()

test('stored user data is removed although the code that wrote it is not loaded', async () => {
  await signIn(tokenOf('a'))
  const stored = ['language', 'themeMode', 'afterSignUp', 'options:headshot', 'paymentMethod', 'registeredEmail']
  for (const key of stored) values.set(key, 'x')
  for (const key of ['registration', 'unsent:headshot', 'confirmation']) tabValues.set(key, 'x')
  await endSession(store.get(tokenAtom) as string)
  const others = ['afterSignUp', 'confirmation', 'language', 'options:headshot', 'themeMode']
  expect(inStorage()).toEqual([...others, 'paymentMethod', 'unsent:headshot'].sort())
  await signIn(tokenOf('b'))
  expect(inStorage()).toEqual(others)
  await signOut()
  expect(inStorage()).toEqual(['language', 'themeMode'])
})

test('a tab starts over when another tab changes the user, but not when only the session ends', async () => {
  restoreSession()
  const otherTab = (token: string | null, lastUser: string | null) => {
    for (const [key, value] of Object.entries({ authToken: token, lastUser })) {
      if (value === null) values.delete(key)
      else values.set(key, value)
    }
    window.dispatchEvent(Object.assign(new Event('storage'), { key: 'authToken' }))
    const times = reload.mock.calls.length
    reload.mockClear()
    return times
  }
  expect(otherTab(tokenOf('a'), 'a')).toBe(0)
  expect(store.get(userAtom)?.id).toBe('a')
  expect(otherTab(tokenOf('a', 60), 'a')).toBe(0)
  expect(otherTab(null, 'a')).toBe(0)
  expect(otherTab(tokenOf('b'), 'b')).toBeGreaterThan(0)
  await signIn(tokenOf('b'))
  expect(otherTab(null, null)).toBeGreaterThan(0)
})

test('a response to an older token does not end the present session', async () => {
  await signIn(tokenOf('a'))
  await endSession(tokenOf('a', 60))
  expect(store.get(isAuthenticatedAtom)).toBe(true)
})

test('a device that was signed out from elsewhere removes the user’s data and asks to sign in again', async () => {
  const cleaned = vi.fn()
  onSignOut('queries', cleaned)
  const token = tokenOf('a')
  await signIn(token)
  await forgetSession(tokenOf('a', 60))
  expect(store.get(isAuthenticatedAtom)).toBe(true)
  await forgetSession(token)
  expect(cleaned).toHaveBeenCalledExactlyOnceWith('signed-out')
  expect(values.size).toBe(0)
  expect(store.get(sessionEndedAtom)).toBe(true)
})

test('a token that expired while the app was closed removes the data cached for reading', async () => {
  values.set('authToken', tokenOf('a', -60))
  values.set('lastUser', 'a')
  const cleaned = vi.fn()
  onSignOut('queries', cleaned)
  restoreSession()
  await vi.waitFor(() => expect(cleaned).toHaveBeenCalledExactlyOnceWith('ended'), 120_000)
  expect([values.get('authToken'), values.get('lastUser')]).toEqual([undefined, 'a'])
})

test('a failed cleanup does not prevent the others', async () => {
  const cleaned = vi.fn()
  onSignOut('drafts', () => Promise.reject(new Error('full')))
  onSignOut('queries', cleaned)
  await signIn(tokenOf('a'))
  await signOut()
  expect(cleaned).toHaveBeenCalledOnce()
})

test('a browser that was killed right after signing in is signed in again', async () => {
  const token = tokenOf('siti')
  await signIn(token)
  values.clear()
  restoreSession()
  await vi.waitFor(() => expect(values.get('authToken')).toBe(token), 120_000)
  expect(values.get('lastUser')).toBe('siti')
  await signOut()
  values.clear()
  restoreSession()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect([values.get('authToken'), store.get(userAtom)]).toEqual([undefined, null])
})

test('the script before the first paint reads keys that the app writes', () => {
  const read = [...readFileSync('public/theme.js', 'utf8').matchAll(/getItem\('(\w+)'\)/g)].map(([, key]) => key)
  expect(read.length).toBeGreaterThan(4)
  expect(Object.values(localKeys)).toEqual(expect.arrayContaining(read))
})

test.each(['full', 'forbidden', 'missing'])(
  'a %s storage keeps values as long as the page, and forgets them at sign-out',
  (state) => {
    class FakeStorage {}
    Object.assign(FakeStorage.prototype, {
      getItem(this: { isReal?: boolean }, key: string) {
        if (!this.isReal) throw new TypeError('illegal invocation')
        return key === 'earlier' ? 'kept' : null
      },
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError')
      },
      removeItem: () => undefined,
    })
    const page = {
      sessionStorage: Object.assign(Object.create(FakeStorage.prototype), { isReal: true }),
      get localStorage() {
        if (state === 'forbidden') throw new DOMException('forbidden', 'SecurityError')
        return state === 'full' ? page.sessionStorage : null
      },
    } as unknown as Window & typeof globalThis
    const [first] = readFileSync('public/theme.js', 'utf8').split('// Runs before')
    new Function('window', 'Storage', first as string)(page, FakeStorage)
    const storage = page.localStorage
    storage.setItem('draft:passport', '1')
    storage.setItem('themeMode', 'dark')
    expect([storage.getItem('draft:passport'), storage.getItem('unknown')]).toEqual(['1', null])
    expect(storage.getItem('earlier')).toBe(state === 'full' ? 'kept' : null)
    vi.stubGlobal('localStorage', storage)
    vi.stubGlobal('heldValues', page.heldValues)
    clearStorage('signed-out')
    expect([storage.getItem('draft:passport'), storage.getItem('themeMode')]).toEqual([null, 'dark'])
  },
)
