import { expect, type Page } from '@playwright/test'
import { createAccount, linkIn, password } from './support/account.ts'
import { test } from './support/app.ts'
import { expectMessage } from './support/messages.ts'

const email = () => `siti-${Math.random().toString(36).slice(2, 9)}@contoh.test`
const fill = async (page: Page, fields: Record<string, string>) => {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value)
}
const storedToken = (page: Page) => page.evaluate(() => localStorage.getItem('authToken'))
const mirroredToken = (page: Page) =>
  page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const open = indexedDB.open('keyval-store')
        open.onerror = () => reject(open.error)
        open.onsuccess = () => {
          const read = open.result.transaction('keyval').objectStore('keyval').get('authToken')
          read.onsuccess = () => resolve(read.result ?? null)
          read.onerror = () => reject(read.error)
        }
      }),
  )

test('a newcomer registers, verifies by mail, is signed in and finds the welcome credits', async ({ page, server }) => {
  const address = email()
  await page.goto('/register')
  await fill(page, { Nama: 'Siti', Email: address, 'Kata sandi': password, 'Konfirmasi kata sandi': password })
  await fill(page, { 'Tahun lahir': '1998' })
  await page.getByLabel(/Saya menyetujui/).check()
  await test.step('a reload keeps all but the passwords', async () => {
    await page.reload()
    await expect(page.getByLabel('Nama')).toHaveValue('Siti')
    await expect(page.getByLabel('Email')).toHaveValue(address)
    await expect(page.getByLabel('Tahun lahir')).toHaveValue('1998')
    await expect(page.getByLabel(/Saya menyetujui/)).toBeChecked()
    await expect(page.getByLabel('Kata sandi', { exact: true })).toHaveValue('')
    await fill(page, { 'Kata sandi': password, 'Konfirmasi kata sandi': password })
  })
  await page.getByRole('button', { name: 'Daftar' }).click()
  await expectMessage(page, 'Berhasil mendaftar, silahkan cek email untuk verifikasi')
  await expect(page.getByText(address)).toBeVisible()

  await page.getByRole('button', { name: 'Kirim ulang' }).click()
  await expectMessage(page, 'Email verifikasi sudah dikirim ulang')
  await page.getByRole('link', { name: 'Ke halaman masuk' }).click()
  await expect(page.getByLabel('Email')).toHaveValue(address)

  // On this device the link suffices.
  await page.goto(await linkIn(server, address, /verify_email/))
  await expectMessage(page, 'Berhasil login')
  await expect(page).toHaveURL(`${server.origin}/`)
  await expect(page.getByRole('link', { name: 'Saldo: 25 kredit' })).toBeVisible()
  const token = await storedToken(page)
  expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
  expect(await mirroredToken(page)).toBe(token)
})

test('a forgotten password is set anew through the mail, and a device forgets who signs out', async ({
  page,
  server,
}) => {
  const { email: address } = await createAccount(server, 'Dewi')
  await page.goto('/login')
  await page.getByRole('link', { name: 'Lupa kata sandi?' }).click()
  await fill(page, { Email: address })
  await page.getByRole('button', { name: 'Kirim', exact: true }).click()
  await expectMessage(page, 'Berhasil mengirim email reset password')

  const fresh = 'Baru-456?'
  await page.goto(await linkIn(server, address, /reset-password/))
  await fill(page, { 'Kata sandi baru': fresh, 'Konfirmasi kata sandi': 'beda' })
  await page.getByRole('button', { name: 'Simpan kata sandi' }).click()
  await expect(page.getByText('Kata sandi harus sama')).toBeVisible()
  await fill(page, { 'Konfirmasi kata sandi': fresh })
  await page.getByRole('button', { name: 'Simpan kata sandi' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await fill(page, { Email: address, 'Kata sandi': fresh })
  await page.getByRole('button', { name: 'Masuk', exact: true }).click()
  await expect(page).toHaveURL(`${server.origin}/`)
  await test.step('signing out takes the token from both stores, and what other tabs remember', async () => {
    await page.goto('/profile')
    const otherTab = await page.context().newPage()
    await otherTab.goto('/profile')
    await otherTab.evaluate(() => Object.assign(window, { remembered: true }))
    await page.getByRole('link', { name: 'Keluar' }).click()
    await expect(page).toHaveURL(`${server.origin}/`)
    await expect(page.getByRole('link', { name: 'Masuk' })).toBeVisible()
    expect(await storedToken(page)).toBeNull()
    expect(await mirroredToken(page)).toBeNull()
    await expect(otherTab.getByRole('button', { name: 'Masuk', exact: true })).toBeVisible()
    await expect.poll(() => otherTab.evaluate(() => 'remembered' in window)).toBe(false)
  })
})
