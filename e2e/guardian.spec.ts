import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { yearOf } from '#shared/age.ts'
import { codeIn, linkIn, password } from './support/account.ts'
import { test } from './support/app.ts'
import { expectMessage } from './support/messages.ts'
import { violations } from './support/violations.ts'

const portrait = join(import.meta.dirname, 'fixtures', 'portrait.jpg')

test.use({ viewport: { width: 390, height: 844 } })

const emailOf = (name: string) => `${name}-${Math.random().toString(36).slice(2, 9)}@contoh.test`
const sheet = (page: Page) => page.getByRole('dialog')

test('a minor of 15 registers, a parent consents by mail on another device, and a run is possible', async ({
  page,
  browser,
  server,
}) => {
  const [minor, parent] = [emailOf('bayu'), emailOf('ibu')]
  await page.goto('/register')
  for (const [label, text] of Object.entries({
    Nama: 'Bayu',
    Email: minor,
    'Kata sandi': password,
    'Konfirmasi kata sandi': password,
    'Tahun lahir': String(yearOf(new Date()) - 16),
  }))
    await page.getByLabel(label, { exact: true }).fill(text)
  await page.getByLabel(/Saya menyetujui/).check()
  await page.getByRole('button', { name: 'Daftar', exact: true }).tap()
  await page.getByLabel('Kode 6 angka').fill(await codeIn(server, minor))
  await expectMessage(page, 'Berhasil login')

  await page.goto('/ai-background-removal')
  await expect(page.getByText('Minta izin orang tua atau wali')).toBeVisible()
  await page.locator('main input[type=file]').first().setInputFiles(portrait)
  await page.getByRole('button', { name: /5 kredit/ }).tap()
  await sheet(page).getByLabel('Email orang tua atau wali').fill(parent)
  await sheet(page).getByRole('button', { name: 'Kirim permintaan izin' }).tap()
  await expect(page.getByText('Menunggu izin orang tua atau wali')).toBeVisible()

  const other = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'id-ID', hasTouch: true })
  const guardian = await other.newPage()
  await guardian.goto(await linkIn(server, parent, /\/guardian\//))
  await expect(guardian.getByRole('heading', { level: 1 })).toHaveText('Izinkan Bayu memakai Rupa?')
  expect(await violations(guardian)).toEqual([])
  await guardian.getByLabel(/Saya orang tua atau wali Bayu/).check()
  await guardian.getByRole('button', { name: 'Saya mengizinkan' }).tap()
  await expect(guardian.getByRole('heading', { level: 1 })).toHaveText('Kamu mengizinkan Bayu')
  await other.close()

  await page.getByRole('button', { name: /5 kredit/ }).tap()
  await expect(page.getByRole('heading', { name: 'Gambar berhasil dibuat' })).toBeVisible()
  await expect(page.getByText('Menunggu izin orang tua atau wali')).toHaveCount(0)
})
