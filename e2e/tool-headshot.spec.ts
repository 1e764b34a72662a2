import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import sharp from 'sharp'
import type { CreditBalance } from '#features/credits/contract.ts'
import { api, createAccount, signInByApi } from './support/account.ts'
import { test } from './support/app.ts'

const portrait = join(import.meta.dirname, 'fixtures', 'portrait.jpg')

// Real runs on whatever machine this is.
test.describe.configure({ timeout: 240_000 })

test('a selfie becomes a headshot before the backdrop that was chosen, and is cropped anew for free', async ({
  page,
  server,
}) => {
  const { email } = await createAccount(server, 'Sari')
  const token = await signInByApi(server, email)
  await page.addInitScript((held) => localStorage.setItem('authToken', held), token)
  await page.goto('/ai-headshot')
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Pilih foto' }).tap(),
  ])
  await chooser.setFiles(portrait)
  await page.getByRole('button', { name: 'Kenali wajah di foto ini' }).tap()
  await page.getByRole('button', { name: 'Saya setuju' }).tap()

  const sample = page.getByRole('button', { name: 'Kantor' })
  const plain = await sample.locator('img').getAttribute('src')
  // Once the check has cut the head out, it stands before each backdrop.
  await expect.poll(() => sample.locator('img').getAttribute('src'), { timeout: 60_000 }).not.toBe(plain)
  await sample.tap()
  await page.getByRole('button', { name: /^Buat headshot/ }).tap()
  await expect(page.getByRole('heading', { name: 'Gambar berhasil dibuat' })).toBeVisible({ timeout: 90_000 })
  await expect(page.getByText(/^Kemiripan wajah \d+%$/)).toBeVisible()
  expect((await api<CreditBalance>(server, '/api/user/myCredit', { token })).credits).toBe(5)

  const rendered = page.waitForResponse((response) => response.url().endsWith('/render'))
  await page.getByRole('button', { name: 'Potongan', exact: true }).tap()
  await page.getByText('1:1', { exact: true }).tap()
  expect((await rendered).ok()).toBe(true)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Unduh JPEG' }).tap(),
  ])
  const { width, height } = await sharp(await readFile(await download.path())).metadata()
  expect(width).toBe(height)
  expect((await api<CreditBalance>(server, '/api/user/myCredit', { token })).credits).toBe(5)
})
