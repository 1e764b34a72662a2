import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { createFacebookDouble, type FacebookDouble } from '#tests/support/facebook-double.ts'
import { createOpenIdProvider, type OpenIdProvider } from '#tests/support/openid-provider.ts'
import { freePort } from '#tests/support/server-process.ts'
import { linkIn, signInOnScreen } from './support/account.ts'
import { expectMessage } from './support/messages.ts'
import { type RealServer, realServer } from './support/server.ts'
import { test } from './support/test.ts'

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
/** Accounts of providers come without a birth year. */
async function giveBirthYear(page: Page): Promise<void> {
  const sheet = page.getByRole('dialog', { name: 'Kamu lahir tahun berapa?' })
  await sheet.getByLabel('Tahun lahir').fill('1998')
  await sheet.getByRole('button', { name: 'Simpan' }).tap()
  await expect(sheet).toBeHidden()
}
const storedToken = (page: Page) => page.evaluate(() => localStorage.getItem('authToken'))

test('a user without a password sets one after confirming with the provider, also where windows are blocked', {
  tag: '@soak',
}, async ({ page }) => {
  const person = newPerson()
  await page.goto(`${server.origin}/login`)
  await button(page).tap()
  await expect(page).toHaveURL(`${server.origin}/`)
  await page.goto(`${server.origin}/profile`)
  await giveBirthYear(page)
  await page.evaluate(() => {
    window.open = () => null
  })
  await page.getByRole('button', { name: 'Buat kata sandi' }).tap()
  await page.getByRole('button', { name: 'Konfirmasi dengan Google' }).tap()
  await expect(page.getByText('Terkonfirmasi. Kamu bisa melanjutkan.')).toBeVisible()
  await expect(page).toHaveURL(`${server.origin}/profile`)
  await page.getByLabel('Kata sandi baru', { exact: true }).fill('Rahasia-123!')
  await page.getByLabel('Konfirmasi kata sandi', { exact: true }).fill('Rahasia-123!')
  await page.getByRole('button', { name: 'Simpan kata sandi' }).tap()
  await expectMessage(page, 'Kata sandi berhasil diubah')
  await page.goto(`${server.origin}/logout`)
  await expect(page).toHaveURL(`${server.origin}/`)
  await signInOnScreen(page, person.email, server.origin)
})

for (const windows of ['open', 'blocked'] as const) {
  test(`Facebook signs in once its address is verified by mail, with windows ${windows}`, { tag: '@soak' }, async ({
    page,
  }) => {
    const friend = { id: crypto.randomUUID(), name: 'Budi', email: `lewat-facebook-${windows}@contoh.test` }
    if (windows === 'blocked') await blockWindows(page)
    // A popup leaves the message to its opener.
    const expectSaid = async (words: string) => {
      if (windows === 'open') await expectMessage(page, words)
      else await expect(page.getByText(words)).toBeVisible()
    }
    const button = page.getByRole('button', { name: 'Masuk dengan Facebook' })
    facebook.setPerson(undefined)
    await page.goto(`${server.origin}/login`)
    await button.tap()
    await expectSaid('Kamu membatalkan masuk. Coba lagi atau pakai email, ya.')

    facebook.setPerson(friend)
    await page.goto(`${server.origin}/login`)
    await button.tap()
    await expectSaid('Email kamu belum diverifikasi. Cek kotak masuk, atau minta email baru.')
    expect(await storedToken(page)).toBeNull()

    await page.goto(await linkIn(server, friend.email, /verify_email/))
    await expect(page.getByText('Email kamu sudah terverifikasi. Silakan masuk.')).toBeVisible()
    await button.tap()
    await expectMessage(page, 'Berhasil login')
    await expect(page).toHaveURL(`${server.origin}/`)
    await expect(page.getByRole('link', { name: 'Saldo: 25 kredit' })).toBeVisible()
    expect(facebook.problems).toEqual([])
  })
}

test('over a preview, sign-up with Google comes first, runs the photo and saves it', { tag: '@soak' }, async ({
  page,
}) => {
  newPerson()
  await page.goto(`${server.origin}/ai-background-removal`)
  await page
    .locator('main input[type=file]')
    .first()
    .setInputFiles(join(import.meta.dirname, 'fixtures/portrait.jpg'))
  await page.getByRole('button', { name: /^Daftar gratis, unduh ukuran penuh/ }).tap()
  const sheet = page.getByRole('dialog')
  const [first, name] = [sheet.getByRole('button', { name: 'Daftar dengan Google' }), sheet.getByLabel('Nama')]
  await expect(first).toBeInViewport()
  expect((await first.boundingBox())?.y).toBeLessThan((await name.boundingBox())?.y as number)
  const download = page.waitForEvent('download', { timeout: 300_000 })
  await first.tap()
  await giveBirthYear(page)
  await download
  await expect(page.getByRole('heading', { name: 'Gambar berhasil dibuat' })).toBeVisible()
})
