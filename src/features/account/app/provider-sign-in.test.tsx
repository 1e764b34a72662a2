import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { page } from 'vitest/browser'
import { address, openApp } from '#tests/support/components/open-app.tsx'
import { profileOf, sari, tokenOf, usualRoutes } from '#tests/support/components/samples.ts'
import { button } from '#tests/support/components/screen.ts'
import { violations } from '#tests/support/components/violations.ts'

const failed = 'Belum berhasil masuk lewat akun itu. Coba sekali lagi, ya.'
const storedToken = () => localStorage.getItem('authToken')
const text = (content: string) => expect.element(page.getByText(content).first())
const offering = (google: boolean, facebook: boolean) => ({
  'GET /api/auth/providers': { google, facebook, passkey: false },
})

it('offers configured providers below its form, and unconfigured ones nowhere', async () => {
  const app = await openApp('/register', { api: offering(true, true) })
  const google = button('Daftar dengan Google')
  await expect.element(button('Daftar dengan Facebook')).toBeVisible()
  const top = (element: Element) => element.getBoundingClientRect().y
  expect(top(google.element())).toBeGreaterThan(top(page.getByLabelText('Nama').element()))
  expect(await violations()).toEqual([])
  for (const facebook of [true, false]) {
    app.api.serve(offering(false, facebook))
    await app.reload('/login')
    await expect.element(page.getByRole('button', { name: 'Masuk', exact: true })).toBeVisible()
    await expect.poll(() => button(/Facebook/).all()).toHaveLength(facebook ? 1 : 0)
    expect(button(/Google/).all()).toHaveLength(0)
  }
})

describe('a message to the sign-in', () => {
  const say = (origin: string, data: object) => window.dispatchEvent(new MessageEvent('message', { origin, data }))

  it('signs in only from the own origin with the state of this tab, and tells of a cancelled sign-in', async () => {
    const { api, messages } = await openApp('/login', {
      api: {
        ...usualRoutes(sari, 25),
        ...offering(true, false),
        'POST /api/login_token': { access_token: tokenOf(sari) },
      },
    })
    const opened: string[] = []
    vi.spyOn(window, 'open').mockImplementation((target) => {
      opened.push(String(target))
      return { focus() {} } as Window
    })
    await button('Masuk dengan Google').click()
    const asked = new URL(opened[0] ?? '', location.origin)
    expect([opened.length, asked.pathname, asked.searchParams.get('remember')]).toEqual([1, '/api/login_google', '0'])
    const state = asked.searchParams.get('state')
    const token = { type: 'auth-token', token: 'a.b.c', state }
    say('https://tempat-lain.test', token)
    say(location.origin, { ...token, state: crypto.randomUUID() })
    say(location.origin, { type: 'auth-error', code: 'auth.provider_denied' })
    await expect.poll(messages).toEqual(['Kamu membatalkan masuk. Coba lagi atau pakai email, ya.'])
    expect(address()).toBe('/login')
    expect(api.callsTo('POST /api/login_token')).toEqual([])
    say(location.origin, token)
    await expect.poll(messages).toContain('Berhasil login')
    expect(api.callsTo('POST /api/login_token')).toMatchObject([{ body: { token: 'a.b.c' } }])
    await expect.poll(address).toBe('/')
  })
})

describe('the page that a provider returns to without a window', () => {
  const signedIn = { ...usualRoutes(sari, 25), 'POST /api/login_token': { access_token: tokenOf(sari) } }

  it('signs this tab in where it asked for it, and leads to its target without the token in the address', async () => {
    const app = await openApp('/billing', { api: signedIn })
    await expect.poll(address).toBe('/login')
    const state = crypto.randomUUID()
    sessionStorage.setItem('providerState', state)
    localStorage.setItem('afterSignUp', '/billing')
    const seen: string[] = []
    const { replaceState } = history
    vi.spyOn(history, 'replaceState').mockImplementation(function (this: History, ...change) {
      replaceState.apply(this, change)
      seen.push(location.href)
    })
    await app.reload(`/auth/callback?token=a.b.c&state=${state}`)
    await expect.poll(app.messages).toContain('Berhasil login')
    await expect.poll(address).toBe('/billing')
    // The first change is the test's own.
    expect(seen.slice(1).filter((href) => href.includes('token='))).toEqual([])
  })

  it('accepts another user’s token neither from a visitor nor from a signed-in user', async () => {
    const app = await openApp('/login', { api: signedIn })
    for (const query of ['token=a.b.c', 'token=a.b.c&state=', `token=a.b.c&state=${crypto.randomUUID()}`]) {
      await app.reload(`/auth/callback?${query}`)
      await text(failed).toBeVisible()
      expect(address()).toBe('/auth/callback')
      expect(storedToken()).toBeNull()
    }
    const own = tokenOf(sari)
    localStorage.setItem('authToken', own)
    // Even after a sign-in of this tab that never came back.
    sessionStorage.setItem('providerState', crypto.randomUUID())
    await app.restart('/auth/callback?token=a.b.c')
    await text(failed).toBeVisible()
    expect(storedToken()).toBe(own)
    expect(app.api.callsTo('POST /api/login_token')).toEqual([])
  })

  it('tells of a cancelled sign-in, and leads back to it', async () => {
    await openApp('/auth/callback?error=auth.provider_denied', { api: offering(true, false) })
    await text('Kamu membatalkan masuk. Coba lagi atau pakai email, ya.').toBeVisible()
    await page.getByRole('link', { name: 'Ke halaman masuk' }).click()
    await expect.element(button('Masuk dengan Google')).toBeVisible()
  })
})

it('brings appearance and language of the account to a device without a choice of its own', async () => {
  const theme = { mode: 'dark', primary: 'toska', neutral: 'pasir' }
  const app = await openApp('/login', {
    api: {
      ...usualRoutes(sari, 25),
      'POST /api/login': { access_token: tokenOf(sari) },
      'GET /api/user/me': { ...profileOf(sari), theme, language: 'en' },
    },
  })
  const root = document.documentElement
  onTestFinished(() => void delete root.dataset.primary)
  localStorage.removeItem('language')
  await app.reload('/login')
  await page.getByLabelText('Email').fill(sari.email)
  await page.getByLabelText('Kata sandi', { exact: true }).fill('Rahasia-123!')
  await page.getByRole('button', { name: 'Masuk', exact: true }).click()
  await expect.poll(() => ({ ...root.dataset })).toMatchObject({ theme: 'dark', primary: 'toska' })
  await expect.poll(() => root.lang).toBe('en')
})
