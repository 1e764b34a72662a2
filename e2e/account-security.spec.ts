import { expect, type Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { createOpenIdProvider, type OpenIdProvider } from '#tests/support/openid-provider.ts'
import { freePort } from '#tests/support/server-process.ts'
import { api, createAccount, linkIn, mailTo, navigateInApp, password, signInOnDevice } from './support/account.ts'
import { test } from './support/app.ts'
import { elementsBeyondScreen } from './support/layout.ts'
import { expectMessage } from './support/messages.ts'
import { type RealServer, realServer } from './support/server.ts'
import { violations } from './support/violations.ts'

// Passkeys belong to a host name, and the other servers have a bare address.
let server: RealServer
let google: OpenIdProvider
test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  google = await createOpenIdProvider({ redirectUri: `${origin}/api/login_google/callback` })
  server = await realServer({ port, origin, env: { ...google.env, STAFF_SECOND_FACTOR: 'required' } })
  await server.start()
})
test.afterAll(async () => {
  await server?.dispose()
  await google?.close()
})

async function fillLogin(page: Page, email: string, secret: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Kata sandi', { exact: true }).fill(secret)
  await page.getByRole('button', { name: 'Masuk', exact: true }).tap()
}

async function expectAccessible(page: Page): Promise<void> {
  expect(await violations(page)).toEqual([])
  expect(await elementsBeyondScreen(page)).toEqual([])
}

const adminPassword = 'Kuda-Laut-Biru7!'
/** Undefined until it is set up. */
let adminApp: TOTP
/** No code is accepted twice. */
let usedCode: string

async function openFirstFactorLink(page: Page, email: string, secret: string): Promise<void> {
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel('Kata sandi saat ini', { exact: true }).fill(secret)
  await sheet.getByRole('button', { name: 'Kirim tautan' }).tap()
  await expectMessage(page, 'Tautan dikirim. Buka emailmu di perangkat ini untuk melanjutkan.')
  await page.goto(await linkIn(server, email, /\/second-factor\//))
  await expect(page.getByText('Emailmu terkonfirmasi')).toBeVisible()
}

/** Confirms everything. */
async function addVirtualAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

test('the first admin changes the made-up password, sets two-step verification up by the mailed link, then enters', async ({
  page,
}) => {
  const made = /password (\S+) \(shown/.exec(server.stderr())?.[1] ?? ''
  await page.goto(`${server.origin}/login`)
  await fillLogin(page, 'admin@rupa.test', made)
  await expect(page.getByRole('heading', { name: 'Ganti kata sandi' })).toBeVisible()
  await page.goto(`${server.origin}/history`)
  await expect(page.getByRole('heading', { name: 'Ganti kata sandi' })).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Kata sandi saat ini', { exact: true }).fill(made)
  await page.getByLabel('Kata sandi baru', { exact: true }).fill('Password1!')
  await page.getByLabel('Konfirmasi kata sandi', { exact: true }).fill('Password1!')
  await page.getByRole('button', { name: 'Simpan kata sandi' }).tap()
  await expect(page.locator('form').getByText('Kata sandi ini terlalu mudah ditebak')).toBeVisible()
  await expect(page.getByLabel('Kata sandi baru', { exact: true })).toBeFocused()
  await page.getByLabel('Kata sandi baru', { exact: true }).fill(adminPassword)
  await page.getByLabel('Konfirmasi kata sandi', { exact: true }).fill(adminPassword)
  await page.getByRole('button', { name: 'Simpan kata sandi' }).tap()
  await expect(page.getByRole('heading', { name: 'Ganti kata sandi' })).toHaveCount(0)

  await page.goto(`${server.origin}/admin/dashboard`)
  await expect(page).toHaveURL(`${server.origin}/profile`)
  await expect(page.getByText('Wajib untuk peranmu')).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'Halaman admin masih tertutup' })).toBeInViewport()
  await page.locator('#security').getByRole('button', { name: 'Aktifkan' }).tap()
  await expectAccessible(page)
  await openFirstFactorLink(page, 'admin@rupa.test', adminPassword)
  await expectAccessible(page)
  await page.locator('#security').getByRole('button', { name: 'Aktifkan' }).tap()
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel('Kata sandi saat ini', { exact: true }).fill(adminPassword)
  await sheet.getByRole('button', { name: 'Lanjut' }).tap()
  await expect(sheet.getByRole('img', { name: 'Kode QR untuk aplikasi autentikator' })).toBeVisible()
  await expectAccessible(page)
  const secret = (await sheet.locator('.font-mono').textContent()) ?? ''
  adminApp = new TOTP({ secret: Secret.fromBase32(secret) })
  const code = sheet.getByLabel('Kode 6 angka dari aplikasi')
  await code.fill('000000')
  await sheet.getByRole('button', { name: 'Aktifkan' }).tap()
  await expect(sheet.getByText('Kode ini salah atau sudah dipakai')).toBeVisible()
  usedCode = adminApp.generate()
  await code.fill(usedCode)
  await sheet.getByRole('button', { name: 'Aktifkan' }).tap()
  await expect(sheet.getByRole('listitem')).toHaveCount(10)
  await expectAccessible(page)
  const recovery = (await sheet.getByRole('listitem').first().textContent()) ?? ''
  await sheet.getByRole('button', { name: 'Sudah kusimpan' }).tap()
  await expect(page.getByText('Aktif. Masuk juga meminta kode')).toBeVisible()
  await navigateInApp(page, '/admin/dashboard')
  await expect(page).toHaveURL(`${server.origin}/admin/dashboard`)

  await navigateInApp(page, '/logout')
  await page.waitForURL(`${server.origin}/`)
  await navigateInApp(page, '/login')
  await fillLogin(page, 'admin@rupa.test', adminPassword)
  const second = page.getByLabel('Kode', { exact: true })
  await expect(second).toBeFocused()
  await expectAccessible(page)
  await second.fill('123456')
  await page.getByRole('button', { name: 'Lanjut' }).tap()
  await expect(page.locator('form').getByText('Kode ini salah atau sudah dipakai')).toBeVisible()
  await second.fill(recovery)
  await page.getByRole('button', { name: 'Lanjut' }).tap()
  await expect(page).toHaveURL(`${server.origin}/admin/dashboard`)
})

test('a passkey is made in the account, opens it without a password, and is removed again', async ({ page }) => {
  await openPasskeySheet(page, 'Melati')
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel('Kata sandi saat ini', { exact: true }).fill('Bukan-ini-1!')
  await sheet.getByRole('button', { name: 'Buat kunci sandi' }).tap()
  await expect(sheet.getByText('Kata sandi saat ini salah.')).toBeVisible()
  await sheet.getByLabel('Kata sandi saat ini', { exact: true }).fill(password)
  await sheet.getByRole('button', { name: 'Buat kunci sandi' }).tap()
  await expect(page.getByText('Belum pernah dipakai')).toBeVisible()
  await expectAccessible(page)

  await navigateInApp(page, '/logout')
  await page.waitForURL(`${server.origin}/`)
  // Sent with the page, so that nothing moves once the app has loaded.
  const sent = await page.request.get(`${server.origin}/login`)
  expect(await sent.text()).toContain('Masuk dengan kunci sandi')
  await navigateInApp(page, '/login')
  await page.getByRole('button', { name: 'Masuk dengan kunci sandi' }).tap()
  await page.waitForURL((url) => url.pathname !== '/login')
  await navigateInApp(page, '/profile')
  await expect(page.getByText(/^Terakhir dipakai/).first()).toBeVisible()
  await page.getByRole('button', { name: /^Hapus kunci sandi/ }).tap()
  await sheet.getByLabel('Kata sandi saat ini', { exact: true }).fill(password)
  await expect(sheet.getByText('perangkatmu meminta kunci sandimu')).toBeVisible()
  await sheet.getByRole('button', { name: 'Hapus' }).tap()
  await expectMessage(page, 'Kunci sandi dihapus')
  await expect(page.getByRole('button', { name: /^Hapus kunci sandi/ })).toHaveCount(0)
})

async function openPasskeySheet(page: Page, name: string): Promise<{ email: string }> {
  await addVirtualAuthenticator(page)
  const { email } = await createAccount(server, name)
  await signInOnDevice(page, server, email)
  await page.goto(`${server.origin}/profile`)
  await page.getByRole('button', { name: 'Tambah kunci sandi' }).tap()
  await openFirstFactorLink(page, email, password)
  await page.getByRole('button', { name: 'Tambah kunci sandi' }).tap()
  return { email }
}

test.describe('with the service worker, whose copies of pages carry headers too', () => {
  test.use({ serviceWorkers: 'allow' })

  test('a user signs in by the provider’s window after cancelling it once, and without a window where it is blocked', async ({
    page,
  }) => {
    const person = { sub: 'g-1', email: 'lewat-google@contoh.test', email_verified: true, name: 'Ayu Google' }
    const button = page.getByRole('button', { name: 'Masuk dengan Google' })
    const emailOf = (token: string | null) =>
      JSON.parse(Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString()).sub.email
    const storedToken = () => page.evaluate(() => localStorage.getItem('authToken'))
    // The app comes from the device now.
    await page.goto(`${server.origin}/`)
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
    await page.goto(`${server.origin}/billing`)
    await expect(page).toHaveURL(/\/login$/)
    google.setPerson(undefined)
    await button.tap()
    await expectMessage(page, 'Kamu membatalkan masuk. Coba lagi atau pakai email, ya.')
    await expect(page).toHaveURL(/\/login$/)

    google.setPerson(person)
    const [popup] = await Promise.all([page.waitForEvent('popup'), button.tap()])
    const closed = popup.isClosed() ? Promise.resolve() : popup.waitForEvent('close')
    await expectMessage(page, 'Berhasil login')
    await closed
    await expect(page).toHaveURL(/\/billing$/)
    expect(emailOf(await storedToken())).toBe(person.email)

    await page.goto(`${server.origin}/logout`)
    await page.waitForURL(`${server.origin}/`)
    await page.addInitScript(() => {
      window.open = () => null
    })
    await page.goto(`${server.origin}/billing`)
    await expect(page).toHaveURL(/\/login$/)
    const addresses: string[] = []
    page.on('framenavigated', (frame) => addresses.push(frame.url()))
    await page.getByLabel('Ingat saya').check()
    await button.tap()
    await expectMessage(page, 'Berhasil login')
    await expect(page).toHaveURL(/\/billing$/)
    expect(addresses.some((address) => address.includes('/auth/callback?token='))).toBe(true)
    // Going back must not reveal the token either.
    await page.goBack()
    expect(page.url()).not.toContain('token')
  })
})

async function createPersonWithPasskey(page: Page, name: string): Promise<string> {
  const { email } = await openPasskeySheet(page, name)
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel('Kata sandi saat ini', { exact: true }).fill(password)
  await sheet.getByRole('button', { name: 'Buat kunci sandi' }).tap()
  await expect(page.getByText('Belum pernah dipakai')).toBeVisible()
  return email
}

test('the link that resets a password lists the second steps, removes the chosen ones later, and can be taken back', {
  tag: '@soak',
}, async ({ page }) => {
  const email = await createPersonWithPasskey(page, 'Kenanga')
  await api(server, '/api/forgot_password', { json: { email } })
  await page.goto(await linkIn(server, email, /reset-password/))
  const factors = page.getByRole('group', { name: 'Langkah kedua di akunmu' })
  await expect(factors).toContainText('48 jam')
  await factors.getByRole('checkbox', { name: /^Hapus kunci sandi/ }).tap()
  await expectAccessible(page)
  await page.getByLabel('Kata sandi baru', { exact: true }).fill('Tukar-4567?!')
  await page.getByLabel('Konfirmasi kata sandi', { exact: true }).fill('Tukar-4567?!')
  await page.getByRole('button', { name: 'Simpan kata sandi' }).tap()
  await page.waitForURL(`${server.origin}/login`)
  await mailTo(server, email, (text) => text.includes('meminta langkah kedua akunmu dihapus'))

  await fillLogin(page, email, 'Tukar-4567?!')
  await page.waitForURL((url) => url.pathname !== '/login')
  await page.goto(`${server.origin}/profile`)
  await expect(page.getByText(/^Akan dihapus .+, kecuali dipakai sebelum itu/)).toBeVisible()
  await expectAccessible(page)
  await page.goto(await linkIn(server, email, /keep-factors/))
  await expect(page.getByRole('heading', { name: 'Batalkan penghapusan?' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Batalkan penghapusan' }).tap()
  await expect(page.getByRole('heading', { name: 'Tidak ada yang dihapus' })).toBeVisible()
  await page.goto(`${server.origin}/profile`)
  await expect(page.getByText('Belum pernah dipakai')).toBeVisible()
})
