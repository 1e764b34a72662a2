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

test('a portrait is checked for free, becomes a passport photo, and changes its rule and gets a sheet for free', async ({
  page,
  server,
}) => {
  const token = await openTool(page, server, '/passport-photo')
  await chooseFiles(page, portrait)
  await agreeToFaces(page)

  await followPicture(page)
  // The check lists good and bad points before the charge.
  await page.getByRole('button', { name: 'Periksa' }).tap()
  const checks = page.getByRole('list', { name: 'Hasil pemeriksaan' })
  await expect(checks.getByText('Tinggi kepala')).toBeVisible()
  await expect(checks.getByRole('listitem').first()).toContainText('Mungkin ada kacamata')
  await page.getByRole('button', { name: 'Ukuran', exact: true }).tap()
  await page.getByRole('button', { name: 'SSCASN' }).tap()
  await page.getByRole('button', { name: 'Latar', exact: true }).tap()
  await page.getByRole('button', { name: /^Buat pasfoto/ }).tap()
  await expect(page.getByRole('heading', { name: 'Gambar berhasil dibuat' })).toBeVisible()
  const { credits } = await api<CreditBalance>(server, '/api/user/myCredit', { token })
  expect(credits).toBe(15)

  const rendered = page.waitForResponse((response) => response.url().endsWith('/render'))
  await page.getByRole('button', { name: 'Cetak', exact: true }).tap()
  await page.getByText('4R', { exact: true }).tap()
  expect((await rendered).ok()).toBe(true)
  await expect(page.getByRole('list', { name: 'Semua hasil' }).getByRole('button', { name: '4R PDF' })).toBeVisible({
    timeout: 60_000,
  })
  await expectPictureStill(page)

  // Corrections are drawn on the finished photo, cropped and red.
  await page.getByRole('button', { name: 'Koreksi', exact: true }).tap()
  await page.getByText('Buang', { exact: true }).tap()
  const corrected = page.waitForResponse((response) => response.url().endsWith('/render') && response.ok())
  await drawAcross(
    page,
    [
      [0.4, 0.9],
      [0.6, 0.9],
    ],
    async () => {
      await expect(page.locator('.mask-loupe')).toBeVisible()
    },
  )
  await corrected
  await expect(page.getByText('Hasil siap')).toBeAttached()
  await page.getByRole('button', { name: 'Latar', exact: true }).tap()

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Unduh JPEG' }).tap(),
  ])
  const bytes = await readFile(await download.path())
  const { width, height, density } = await sharp(bytes).metadata()
  expect([width, height, density]).toEqual([472, 709, 300])
  const below = await sharp(bytes).extract({ left: 236, top: 480, width: 1, height: 220 }).raw().toBuffer()
  const isRed = (at: number) => [219, 21, 20].every((value, channel) => Math.abs(below[3 * at + channel]! - value) < 9)
  expect(Array.from({ length: 220 }, (_, row) => row).filter(isRed).length).toBeGreaterThan(8)
  expect(bytes.length).toBeLessThanOrEqual(200 * 1024)
  expect((await api<CreditBalance>(server, '/api/user/myCredit', { token })).credits).toBe(15)

  // On large screens all sections are open.
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('button', { name: 'Koreksi dengan kuas' }).click()
  await expect(page.getByText('Buang', { exact: true })).toBeInViewport({ ratio: 1 })
  await expect(page.getByRole('slider', { name: 'Ukuran' })).toBeInViewport({ ratio: 1 })
})
