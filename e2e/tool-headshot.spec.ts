import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import sharp from 'sharp'
import type { CreditBalance } from '#features/credits/schemas.ts'
import { api } from './support/account.ts'
import { test } from './support/app.ts'
import { drawAcross } from './support/fingers.ts'
import { expectPictureStill, followPicture } from './support/picture-position.ts'
import { agreeToFaces, chooseFiles, openTool } from './support/tool.ts'

const portrait = join(import.meta.dirname, 'fixtures', 'portrait.jpg')

test('a selfie becomes a headshot before the backdrop that was chosen, and is cropped anew for free', async ({
  page,
  server,
}) => {
  const token = await openTool(page, server, '/ai-headshot')
  await chooseFiles(page, portrait)
  await agreeToFaces(page)

  await followPicture(page)
  const sample = page.getByRole('button', { name: 'Lobi kantor' })
  const plain = await sample.locator('img').getAttribute('src')
  // After the check, the cut-out head is shown before each backdrop.
  await expect.poll(() => sample.locator('img').getAttribute('src')).not.toBe(plain)
  await sample.tap()
  await page.getByRole('button', { name: /^Buat headshot/ }).tap()
  await expect(page.getByRole('heading', { name: 'Gambar berhasil dibuat' })).toBeVisible()
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
  await expect(page.getByText('Hasil siap')).toBeAttached()
  await expectPictureStill(page)
  const { width, height } = await sharp(await readFile(await download.path())).metadata()
  expect(width).toBe(height)

  await page.getByRole('button', { name: 'Koreksi', exact: true }).tap()
  await page.getByText('Buang', { exact: true }).tap()
  const corrected = page.waitForResponse((response) => response.url().endsWith('/render') && response.ok())
  await drawAcross(page, [
    [0.1, 0.92],
    [0.25, 0.92],
  ])
  expect((await (await corrected).json()).params.strokes).toMatchObject([{ mode: 'erase', subject: 0 }])
  await expect(page.getByText('Hasil siap')).toBeAttached()
  expect((await api<CreditBalance>(server, '/api/user/myCredit', { token })).credits).toBe(5)
})
