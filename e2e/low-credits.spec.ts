import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import type { GenerationView } from '#features/generations/schemas.ts'
import { api, createAccount, signInByApi, signInOnDevice } from './support/account.ts'
import { test } from './support/app.ts'
import { generate } from './support/generate.ts'
import { adjustCredits } from './support/staff.ts'
import { violations } from './support/violations.ts'

const portrait = join(import.meta.dirname, 'fixtures', 'portrait.jpg')

test('too few credits for another generation are shown beside the result, and more are bought there', async ({
  page,
  server,
}) => {
  const { email } = await createAccount(server, 'Wati')
  const token = await signInByApi(server, email)
  const { id } = await generate(server, token, await readFile(portrait))
  const state = async () => (await api<GenerationView>(server, `/api/generations/${id}`, { token })).status
  await expect.poll(state).toBe('succeeded')
  await signInOnDevice(page, server, email)
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Hasil terakhir' })).toBeVisible()
  const notice = page.getByText('Saldo 3 kredit belum cukup untuk Hapus Latar lagi (5 kredit).')
  await expect(notice).toHaveCount(0)
  await adjustCredits(server, token, -17)
  await expect(notice).toBeVisible()

  await page
    .getByRole('list')
    .getByRole('button')
    .filter({ has: page.locator('img') })
    .first()
    .tap()
  await expect(page).toHaveURL(/\/history\?id=/)
  await expect(notice).toBeVisible()
  await page.getByRole('button', { name: 'Tambah kredit' }).tap()
  const sheet = page.getByRole('dialog', { name: 'Kurang 2 kredit' })
  await expect(sheet).toContainText('Dibayar hari ini, berlaku sampai')
  await expect(sheet.getByRole('button', { name: /^Bayar Rp.* dengan QRIS$/ })).toBeVisible()
  expect(await violations(page)).toEqual([])
  await sheet.getByRole('button', { name: 'Tutup', exact: true }).tap()
  await expect(page.getByRole('slider')).toBeVisible()

  // Options come first where space is scarce.
  await page.setViewportSize({ width: 360, height: 640 })
  await expect(page.getByRole('button', { name: 'Transparan' })).toBeInViewport({ ratio: 1 })
})
