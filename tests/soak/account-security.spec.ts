import { expect, type Page } from '@playwright/test'
import { freePort } from '#tests/support/server-process.ts'
import { api, createAccount, linkIn, mailTo, password, signInOnScreen } from '../../e2e/support/account.ts'
import { elementsBeyondScreen } from '../../e2e/support/layout.ts'
import { expectMessage } from '../../e2e/support/messages.ts'
import { type RealServer, realServer } from '../../e2e/support/server.ts'
import { test } from '../../e2e/support/test.ts'
import { violations } from '../../e2e/support/violations.ts'

// Passkeys belong to a host name, and the other servers have a bare address.
let server: RealServer
test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  const port = await freePort()
  server = await realServer({ port, origin: `http://localhost:${port}`, env: { STAFF_SECOND_FACTOR: 'required' } })
  await server.start()
})
test.afterAll(() => server?.dispose())

async function fillLogin(page: Page, email: string, secret: string): Promise<void> {
  await page.goto(`${server.origin}/login`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Kata sandi', { exact: true }).fill(secret)
  await page.getByRole('button', { name: 'Masuk', exact: true }).tap()
}

async function expectAccessible(page: Page): Promise<void> {
  expect(await violations(page)).toEqual([])
  expect(await elementsBeyondScreen(page)).toEqual([])
}

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

async function openPasskeySheet(page: Page, name: string): Promise<{ email: string }> {
  await addVirtualAuthenticator(page)
  const { email } = await createAccount(server, name)
  await signInOnScreen(page, email, server.origin)
  await page.goto(`${server.origin}/profile`)
  await page.getByRole('button', { name: 'Tambah kunci sandi' }).tap()
  await openFirstFactorLink(page, email, password)
  await page.getByRole('button', { name: 'Tambah kunci sandi' }).tap()
  return { email }
}

async function createPersonWithPasskey(page: Page, name: string): Promise<string> {
  const { email } = await openPasskeySheet(page, name)
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel('Kata sandi saat ini', { exact: true }).fill(password)
  await sheet.getByRole('button', { name: 'Buat kunci sandi' }).tap()
  await expect(page.getByText('Belum pernah dipakai')).toBeVisible()
  return email
}

test('the link that resets a password lists the second steps, removes the chosen ones later, and can be taken back', async ({
  page,
}) => {
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
