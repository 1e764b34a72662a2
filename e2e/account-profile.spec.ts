import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import {
  api,
  createAccount,
  linkIn,
  mailTo,
  navigateInApp,
  password,
  signInByApi,
  signInOnDevice,
  signInOnScreen,
} from './support/account.ts'
import { test } from './support/app.ts'
import { complaintsOf } from './support/complaints.ts'
import { userDataOnDevice } from './support/device.ts'
import { elementsBeyondScreen } from './support/layout.ts'
import { expectMessage } from './support/messages.ts'
import type { RunningServer } from './support/server.ts'
import { violations } from './support/violations.ts'

async function openProfile(page: Page, server: RunningServer, name = 'Wulan'): Promise<string> {
  const { email } = await createAccount(server, name)
  await signInOnDevice(page, server, email)
  await page.goto('/profile')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  return email
}

const statusOf = async (server: RunningServer, token: string) =>
  (await fetch(`${server.origin}/api/user/me`, { headers: { authorization: `Bearer ${token}` } })).status

test('the profile changes the name, shows consents and storage, and exports the account’s data', async ({
  page,
  server,
}) => {
  await page.addInitScript(() => {
    // Browsers decide by themselves; this one refuses first.
    let asked = 0
    navigator.storage.persist = async () => {
      asked += 1
      return asked > 1
    }
    navigator.storage.persisted = async () => asked > 1
  })
  const email = await openProfile(page, server)
  const token = await signInByApi(server, email)
  await test.step('a new name is on the screen, in the token and in the account', async () => {
    await page.getByLabel('Nama', { exact: true }).fill('')
    await page.getByRole('button', { name: 'Simpan' }).tap()
    await expect(page.getByText('Bagian ini wajib diisi')).toBeVisible()
    await page.getByLabel('Nama', { exact: true }).fill('Wulan <b>Sari</b>')
    await page.getByRole('button', { name: 'Simpan' }).tap()
    await expectMessage(page, 'Nama sudah disimpan')
    await expect(page.getByRole('main').getByText('Wulan <b>Sari</b>')).toBeVisible()
    await page.reload()
    await expect(page.getByLabel('Nama', { exact: true })).toHaveValue('Wulan <b>Sari</b>')
    expect(await api(server, '/api/user/me', { token })).toMatchObject({ name: 'Wulan <b>Sari</b>' })
  })
  await test.step('a consent shows with its time and version, and can be withdrawn', async () => {
    await expect(page.getByText(/^Belum diberikan/)).toBeVisible()
    const { current } = await api<{ current: { biometric: string } }>(server, '/api/user/consents', { token })
    await api(server, '/api/user/consents', { token, json: { kind: 'biometric', version: current.biometric } })
    await page.reload()
    await expect(page.getByText(/^Diberikan .+, teks versi 2026-11/)).toBeVisible()
    await page.getByRole('button', { name: 'Tarik persetujuan' }).tap()
    await expectMessage(page, 'Persetujuan sudah ditarik')
    await expect(page.getByText(/^Belum diberikan/)).toBeVisible()
  })
  await test.step('the account’s data is downloaded as a ZIP', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Unduh ZIP' }).tap(),
    ])
    expect(download.suggestedFilename()).toMatch(/^rupa-\d{4}-\d\d-\d\d\.zip$/)
    const chunks: Buffer[] = []
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
    expect(Buffer.concat(chunks).subarray(0, 2).toString()).toBe('PK')
  })
  await test.step('storage on the device is shown, can be cleared, and is requested to be persistent', async () => {
    const historyKept = async () =>
      (await page.evaluate(userDataOnDevice)).databases['rupa-queries']?.some((key) => key.includes('["generations"'))
    await navigateInApp(page, '/history')
    await expect.poll(historyKept).toBe(true)
    await navigateInApp(page, '/profile')
    await expect(page.getByText(/ terpakai\. Yang dikosongkan hanya salinan/)).toBeVisible()
    const ask = page.getByRole('button', { name: 'Minta dijaga' })
    await ask.tap()
    await expectMessage(page, 'Peramban belum bisa menjaminnya. Pasang dulu aplikasinya.')
    await ask.tap()
    await expect(page.getByText('Peramban tidak menghapusnya sendiri.')).toBeVisible()
    await page.getByRole('button', { name: 'Kosongkan' }).tap()
    await expectMessage(page, 'Ruang di perangkat ini sudah dikosongkan')
    // Data of this screen is fetched and stored again; the history is not.
    expect(await historyKept()).toBe(false)
  })
})

test('appearance and language follow the account to a device without a choice of its own', async ({
  page,
  server,
  browser,
}) => {
  const email = await openProfile(page, server)
  await page.getByText('Gelap', { exact: true }).tap()
  await page.getByLabel('Toska', { exact: true }).check({ force: true })
  const saved = page.waitForResponse((response) => response.request().method() === 'PATCH' && response.ok())
  await expect(page.locator('html')).toHaveAttribute('data-primary', 'toska')
  await saved
  const savedAgain = page.waitForResponse((response) => response.request().method() === 'PATCH' && response.ok())
  await page.getByText('English', { exact: true }).tap()
  await savedAgain
  const elsewhere = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true })
  const other = await elsewhere.newPage()
  await signInOnScreen(other, email, server.origin)
  await expect(other.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(other.locator('html')).toHaveAttribute('data-primary', 'toska')
  await expect(other.locator('html')).toHaveAttribute('lang', 'en')
  await elsewhere.close()
})

test('a new address takes effect when the link mailed to it is opened, and any other link does nothing', async ({
  page,
  server,
}) => {
  const old = await openProfile(page, server)
  const fresh = `lain-${Math.random().toString(36).slice(2, 8)}@contoh.test`
  await page.getByRole('button', { name: 'Ganti email' }).tap()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Kirim tautan' }).tap()
  await expect(dialog.getByText('Bagian ini wajib diisi')).toBeVisible()
  await dialog.getByLabel('Email baru').fill('bukan-email')
  await expect(dialog.getByText('Email tidak valid')).toBeVisible()
  await dialog.getByLabel('Email baru').fill(fresh)
  await dialog.getByLabel('Kata sandi saat ini', { exact: true }).fill('Bukan-ini-1!')
  await dialog.getByRole('button', { name: 'Kirim tautan' }).tap()
  await expect(dialog.getByText('Kata sandi saat ini salah.')).toBeVisible()
  await dialog.getByLabel('Kata sandi saat ini', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Kirim tautan' }).tap()
  await dialog.getByRole('button', { name: 'Mengerti' }).tap()
  await mailTo(server, old, (text) => text.includes('Seseorang yang masuk ke akunmu'))
  await expect(page.getByRole('main').getByText(old).first()).toBeVisible()

  const link = await linkIn(server, fresh, /confirm_email/)
  await page.goto(link)
  await expect(page.getByText('Alamat emailmu sudah berganti.')).toBeVisible()
  await expect(page.getByRole('main').getByText(fresh)).toHaveCount(2)
  await page.goto(`${link.slice(0, -1)}_`)
  await expect(page.getByText('Tautan itu sudah tidak berlaku. Minta yang baru lewat “Ganti email”.')).toBeVisible()
  await page.goto('/logout')
  await expect(page).toHaveURL(`${server.origin}/`)
  await signInOnScreen(page, fresh, server.origin)
})

/** Ending other sessions asks for the password. */
async function confirmEnding(page: Page): Promise<void> {
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel('Kata sandi saat ini', { exact: true }).fill(password)
  await sheet.getByRole('button', { name: 'Keluarkan', exact: true }).tap()
  await expect(sheet).toHaveCount(0)
}

test('other sessions are ended one by one, all together, and by a new password; the current one stays', async ({
  page,
  server,
}) => {
  const email = await openProfile(page, server)
  await test.step('one session ends, then every other one, and the current one stays', async () => {
    const open = () =>
      api<{ access_token: string }>(server, '/api/login', { json: { email, password, remember: false } })
    const [first, second] = [await open(), await open()]
    await page.reload()
    const signOut = page.getByRole('button', { name: /^Keluarkan / })
    await expect(signOut).toHaveCount(2)
    await expect(page.getByText('Perangkat ini', { exact: true })).toHaveCount(1)
    await signOut.first().tap()
    await confirmEnding(page)
    await expectMessage(page, 'Perangkat itu sudah keluar')
    await expect(signOut).toHaveCount(1)
    const left = await Promise.all([first, second].map(({ access_token }) => statusOf(server, access_token)))
    expect(left.sort()).toEqual([200, 401])
    await open()
    await page.getByRole('button', { name: 'Keluar dari semua perangkat lain' }).tap()
    await confirmEnding(page)
    await expectMessage(page, 'Semua perangkat lain sudah keluar')
    await expect(signOut).toHaveCount(0)
    expect(await statusOf(server, second.access_token)).toBe(401)
    expect(await statusOf(server, (await page.evaluate(() => localStorage.getItem('authToken'))) ?? '')).toBe(200)
  })
  await test.step('a changed password ends the other sessions and keeps this one; a weak one is refused', async () => {
    const other = await signInByApi(server, email)
    await page.getByRole('button', { name: 'Ganti kata sandi' }).tap()
    await page.getByRole('button', { name: 'Simpan kata sandi' }).tap()
    await expect(page.getByText('Kata sandi wajib diisi').first()).toBeVisible()
    await page.getByLabel('Kata sandi baru', { exact: true }).fill('abcdefg1!')
    await expect(page.getByText('Kata sandi harus berisi minimal satu huruf besar')).toBeVisible()
    await page.getByLabel('Kata sandi baru', { exact: true }).fill('Tukar-4567?')
    await page.getByLabel('Konfirmasi kata sandi', { exact: true }).fill('Lain-4567?')
    await page.getByLabel('Kata sandi saat ini', { exact: true }).fill('Bukan-ini-1!')
    await page.getByRole('button', { name: 'Simpan kata sandi' }).tap()
    await expect(page.getByText('Kata sandi harus sama')).toBeVisible()
    await page.getByLabel('Konfirmasi kata sandi', { exact: true }).fill('Tukar-4567?')
    await page.getByRole('button', { name: 'Simpan kata sandi' }).tap()
    await expect(page.getByText('Kata sandi saat ini salah.')).toBeVisible()
    expect(await statusOf(server, other)).toBe(200)

    await page.getByLabel('Kata sandi saat ini', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Simpan kata sandi' }).tap()
    await expectMessage(page, 'Kata sandi berhasil diubah')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    expect(await statusOf(server, other)).toBe(401)
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Akun' })).toBeVisible()
    await expect(page.getByText('Sesimu sudah berakhir')).toHaveCount(0)
  })
})

test('a picture refused for a missing consent waits, and is sent once the consent is given', async ({
  page,
  server,
}) => {
  // A service worker would hide the simulated refusal from the route.
  const { email } = await createAccount(server, 'Lestari')
  const token = await signInByApi(server, email)
  await page.addInitScript((held) => localStorage.setItem('authToken', held), token)
  const msg = 'Alat ini mengolah wajah. Beri persetujuanmu dulu, ya.'
  await page.route('**/api/generations', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 403, json: { code: 'consent.required', msg } })
      : route.continue(),
  )
  await page.goto(`${server.origin}/ai-background-removal`)
  const portrait = join(import.meta.dirname, 'fixtures', 'portrait.jpg')
  await page.locator('input[type="file"]:not([capture])').first().setInputFiles(portrait)
  await page.getByRole('button', { name: /5 kredit/ }).click()
  await expect(page.getByText(msg)).toBeVisible()

  const consents = () =>
    api<{ items: { kind: string; version: string }[] }>(server, '/api/user/consents', { token }).then(
      ({ items }) => items,
    )
  await page.getByRole('button', { name: 'Beri persetujuan' }).click()
  await page.getByRole('button', { name: 'Tidak setuju' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByText(msg)).toBeVisible()
  expect(await consents()).toEqual([])

  await page.unroute('**/api/generations')
  await page.getByRole('button', { name: 'Beri persetujuan' }).click()
  await expect(page.getByText(/UU 27\/2022/)).toBeVisible()
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Saya setuju' }).click()
  await expect(page).toHaveURL(/\?result=/)
  expect(await consents()).toMatchObject([{ kind: 'biometric', version: '2026-11' }])
})

test('deleting the account requires the password, explains the effects, and leaves nothing on the device', async ({
  page,
  server,
}) => {
  const email = await openProfile(page, server)
  const other = await signInByApi(server, email)
  await page.getByRole('button', { name: 'Hapus akun' }).tap()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('Ini terjadi seketika dan tidak bisa dibatalkan:')).toBeVisible()
  await expect(dialog.getByRole('listitem')).toHaveCount(4)
  await dialog.getByRole('button', { name: 'Hapus akunku selamanya' }).tap()
  await expect(dialog.getByText('Kata sandi wajib diisi')).toBeVisible()
  await dialog.getByLabel('Kata sandi saat ini', { exact: true }).fill('Bukan-ini-1!')
  await dialog.getByRole('button', { name: 'Hapus akunku selamanya' }).tap()
  await expect(dialog.getByText('Kata sandi saat ini salah.')).toBeVisible()
  await dialog.getByLabel('Kata sandi saat ini', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Hapus akunku selamanya' }).tap()
  await expectMessage(page, 'Akunmu sudah dihapus')
  await expect(page).toHaveURL(`${server.origin}/`)
  expect(await statusOf(server, other)).toBe(401)
  const left = await page.evaluate(userDataOnDevice)
  expect(left.localStorage).toEqual([])
  expect(left.sessionStorage).toEqual([])
  const again = await fetch(`${server.origin}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password, remember: false }),
  })
  expect(again.status).toBe(401)
})

for (const [language, colorScheme] of [
  ['id', 'light'],
  ['en', 'dark'],
] as const) {
  test.describe(`in ${language}, ${colorScheme}`, () => {
    test.use({ colorScheme })
    test('the profile and its dialogs have no accessibility violations', async ({ page, server }) => {
      const complaints = complaintsOf(page)
      await page.addInitScript((chosen) => localStorage.setItem('language', chosen), language)
      await openProfile(page, server, 'Bartholomeuspanjangsekali')
      const check = async (what: string) => {
        expect(await violations(page), what).toEqual([])
        expect(await elementsBeyondScreen(page), what).toEqual([])
      }
      await expect(page.getByText(/Perangkat ini$|This device$/).first()).toBeVisible()
      await check('profile')
      for (const name of [
        /^Ganti email$|^Change email$/,
        /^Ganti kata sandi$|^Change password$/,
        /^Hapus akun$|^Delete account$/,
      ]) {
        await page.getByRole('button', { name }).tap()
        await expect(page.getByRole('dialog').getByLabel(/^Kata sandi saat ini$|^Current password$/)).toBeVisible()
        await check(String(name))
        await page.keyboard.press('Escape')
        await expect(page.getByRole('dialog')).toHaveCount(0)
      }
      expect(complaints).toEqual([])
    })
  })
}
