import { expect, type Locator, type Page } from '@playwright/test'
import { createFacebookDouble, type FacebookDouble } from '#tests/support/facebook-double.ts'
import { createOpenIdProvider, type OpenIdProvider } from '#tests/support/openid-provider.ts'
import { freePort } from '#tests/support/server-process.ts'
import { createAccount, signInByApi, signInOnScreen } from './support/account.ts'
import { test } from './support/app.ts'
import { expectMessage } from './support/messages.ts'
import { type RealServer, realServer } from './support/server.ts'
import { violations } from './support/violations.ts'

let server: RealServer
let google: OpenIdProvider
let facebook: FacebookDouble
let count = 0

function newPerson() {
  count += 1
  const person = {
    sub: `g-${count}`,
    email: `lewat-google-${count}@contoh.test`,
    email_verified: true,
    name: 'Ayu Google',
  }
  google.setPerson(person)
  return person
}

test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  const port = await freePort()
  google = await createOpenIdProvider({ redirectUri: `http://127.0.0.1:${port}/api/login_google/callback` })
  facebook = await createFacebookDouble({ redirectUri: `http://127.0.0.1:${port}/api/login_facebook/callback` })
  server = await realServer({ port, env: { ...google.env, ...facebook.env } })
  await server.start()
})
test.afterAll(async () => {
  await server?.dispose()
  await google?.close()
  await facebook?.close()
})

const button = (page: Page) => page.getByRole('button', { name: 'Masuk dengan Google' })
const blockWindows = (page: Page) =>
  page.addInitScript(() => {
    window.open = () => null
  })
const storedToken = (page: Page) => page.evaluate(() => localStorage.getItem('authToken'))

async function watch(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen = { opened: [] as string[][], messages: [] as string[] }
    Object.assign(window, { seen })
    const open = window.open.bind(window)
    window.open = (...how) => {
      seen.opened.push(how.map(String))
      return open(...how)
    }
    window.addEventListener('message', ({ origin, data }) => seen.messages.push(`${origin} ${data?.type}`))
  })
}
type Seen = { opened: string[][]; messages: string[] }
const seenBy = (page: Page): Promise<Seen> => page.evaluate(() => (window as unknown as { seen: Seen }).seen)

test.describe('with the service worker, whose copies of pages carry headers too', () => {
  test.use({ serviceWorkers: 'allow' })

  test('the sign-in window opens centred and square at 70 % of the height, hands over the token and closes', async ({
    page,
  }) => {
    const person = newPerson()
    await watch(page)
    // The app comes from the device now.
    await page.goto(`${server.origin}/`)
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
    await page.goto(`${server.origin}/billing`)
    await expect(page).toHaveURL(/\/login$/)
    const [popup] = await Promise.all([page.waitForEvent('popup'), button(page).tap()])
    const closed = popup.isClosed() ? Promise.resolve() : popup.waitForEvent('close')
    await expectMessage(page, 'Berhasil login')
    await closed
    await expect(page).toHaveURL(/\/billing$/)
    const { opened, messages } = await seenBy(page)
    const wanted = await page.evaluate(() => {
      const size = Math.round(innerHeight * 0.7)
      const left = Math.round(screenX + (outerWidth - size) / 2)
      const top = Math.round(screenY + (outerHeight - size) / 2)
      return `popup,width=${size},height=${size},left=${left},top=${top}`
    })
    expect(opened).toEqual([
      [expect.stringMatching(/^\/api\/login_google\?remember=0&state=[\w-]{36}$/), 'login_google', wanted],
    ])
    expect(messages).toEqual([`${server.origin} auth-token`])
    const [, body = ''] = ((await storedToken(page)) ?? '').split('.')
    expect(JSON.parse(Buffer.from(body, 'base64url').toString())).toMatchObject({
      sub: { email: person.email, role: 'user' },
    })
  })
})

test('with windows blocked the same page opens the provider, returns to the target, and keeps no token in the address', async ({
  page,
}) => {
  newPerson()
  await blockWindows(page)
  const addresses: string[] = []
  await page.goto(`${server.origin}/billing`)
  await expect(page).toHaveURL(/\/login$/)
  page.on('framenavigated', (frame) => addresses.push(frame.url()))
  await page.getByLabel('Ingat saya').check()
  await button(page).tap()
  await expectMessage(page, 'Berhasil login')
  await expect(page).toHaveURL(/\/billing$/)
  expect(addresses.some((address) => address.includes('/auth/callback?token='))).toBe(true)
  // Going back must not reveal the token either.
  await page.goBack()
  expect(page.url()).not.toContain('token')
})

test('a message from another origin is ignored, whatever its content', async ({ page, context }) => {
  newPerson()
  await watch(page)
  const answerWith = (script: string) => ({ contentType: 'text/html', body: `<script>${script}</script>` })
  // Playwright cannot replace the target of a redirect.
  await context.route('**/api/login_google?*', (route) =>
    route.fulfill(answerWith(`location.replace('${google.issuer}/somewhere')`)),
  )
  await context.route(`${google.issuer}/**`, (route) =>
    route.fulfill(answerWith(`opener.postMessage({ type: 'auth-token', token: 'a.b.c' }, '*')`)),
  )
  await page.goto(`${server.origin}/login`)
  await button(page).tap()
  await expect.poll(async () => (await seenBy(page)).messages).toEqual([`${google.issuer} auth-token`])
  await expect(page).toHaveURL(/\/login$/)
  expect(await storedToken(page)).toBeNull()
  await expect(page.getByText('Terjadi kesalahan')).toHaveCount(0)
})

test('cancelling at the provider shows on the sign-in screen, or on its own page where there is no window', async ({
  page,
}) => {
  google.setPerson(undefined)
  await page.goto(`${server.origin}/login`)
  await button(page).tap()
  const words = 'Kamu membatalkan masuk. Coba lagi atau pakai email, ya.'
  await expectMessage(page, words)
  await expect(page).toHaveURL(/\/login$/)
  await page.evaluate(() => {
    window.open = () => null
  })
  await button(page).tap()
  await expect(page).toHaveURL(`${server.origin}/auth/callback`)
  await expect(page.getByText(words)).toBeVisible()
  await page.getByRole('link', { name: 'Ke halaman masuk' }).tap()
  await expect(button(page)).toBeVisible()
})

test('the registration offers configured providers below its form, and unconfigured ones are offered nowhere', async ({
  page,
}) => {
  const google = page.getByRole('button', { name: 'Daftar dengan Google' })
  const top = async (what: Locator) => (await what.boundingBox())?.y ?? 0
  // Rendered before the providers are known; must not move.
  await page.goto(`${server.origin}/register`)
  await expect(google).toBeVisible()
  await expect(page.getByRole('button', { name: 'Daftar dengan Facebook' })).toBeVisible()
  expect(await top(google)).toBeGreaterThan(await top(page.getByLabel('Nama')))
  await page.getByRole('main').getByRole('link', { name: 'Masuk' }).tap()
  await expect(page).toHaveURL(`${server.origin}/login`)
  await page.getByRole('main').getByRole('link', { name: 'Daftar' }).tap()
  await expect(google).toBeVisible()
  expect(await top(google)).toBeGreaterThan(await top(page.getByLabel('Nama')))
  expect(await violations(page)).toEqual([])
  for (const configured of [
    { google: false, facebook: true },
    { google: false, facebook: false },
  ]) {
    await page.route('**/api/auth/providers', (route) => route.fulfill({ json: configured }))
    await page.goto(`${server.origin}/login`)
    await expect(page.getByRole('button', { name: 'Masuk', exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: /Facebook/ })).toHaveCount(configured.facebook ? 1 : 0)
    await expect(button(page)).toHaveCount(0)
  }
})

test('another user’s token in the address signs in neither a visitor nor a signed-in user', async ({ page }) => {
  const trap = await signInByApi(server, (await createAccount(server, 'Penjebak')).email)
  const words = 'Belum berhasil masuk lewat akun itu. Coba sekali lagi, ya.'
  for (const query of [`token=${trap}`, `token=${trap}&state=`, `token=${trap}&state=${crypto.randomUUID()}`]) {
    await page.goto(`${server.origin}/auth/callback?${query}`)
    await expect(page.getByText(words)).toBeVisible()
    expect(page.url()).toBe(`${server.origin}/auth/callback`)
    expect(await storedToken(page)).toBeNull()
  }
  const { email } = await createAccount(server, 'Korban')
  await signInOnScreen(page, email, server.origin)
  const own = await storedToken(page)
  // Even after a sign-in of this tab that never came back.
  await page.evaluate(() => sessionStorage.setItem('providerState', crypto.randomUUID()))
  await page.goto(`${server.origin}/auth/callback?token=${trap}`)
  await expect(page.getByText(words)).toBeVisible()
  expect(await storedToken(page)).toBe(own)
})
