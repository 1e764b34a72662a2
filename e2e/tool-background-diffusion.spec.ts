import { join } from 'node:path'
import { expect } from '@playwright/test'
import type { GenerationView } from '#features/generations/schemas.ts'
import { api } from './support/account.ts'
import { test } from './support/app.ts'
import { expectPictureStill, followPicture } from './support/picture-position.ts'
import { chooseFiles, openTool } from './support/tool.ts'

test('words become four backgrounds, one of which is saved after the person was made smaller', async ({
  page,
  server,
}) => {
  const token = await openTool(page, server, '/ai-background-diffusion')
  await chooseFiles(page, join(import.meta.dirname, 'fixtures', 'portrait.jpg'))
  await followPicture(page)
  const words = page.getByRole('textbox', { name: 'Suasana yang kamu mau' })
  await words.fill('masjid dengan langit biru')
  await expect(page.getByText('Belum ada. Coba salah satu ini:')).toBeInViewport()
  const nearest = page.getByRole('group', { name: 'Usulan latar' })
  await expect(nearest.getByRole('button')).toHaveCount(3)
  await words.fill('lobi hotel')
  await expect(page.getByText('Terbaca: Lobi hotel')).toBeVisible()
  await page.getByRole('button', { name: /^Buat latar baru/ }).tap()
  await expect(page.getByRole('heading', { name: 'Gambar berhasil dibuat' })).toBeVisible()
  await expect(page.getByText('Nomor variasi 1, 2, 3, 4')).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'Lobi hotel' })).toBeVisible()
  const strip = page.getByRole('list', { name: 'Semua hasil' })
  await expect(strip.getByRole('button', { name: /^Hasil \d$/ })).toHaveCount(4)
  // The small controls must not cover the picture's own.
  await expect(page.locator('.compare-tag').first()).toBeVisible()
  const covered = async () => {
    const { y } = (await strip.boundingBox())!
    const tags = await page.locator('.compare-tag').all()
    const boxes = await Promise.all(tags.map(async (tag) => (await tag.boundingBox())!))
    return boxes.filter((box) => box.y + box.height > y).length
  }
  expect(await covered()).toBe(0)

  await page.getByRole('slider', { name: /Ukuran/ }).fill('60')
  const first = async () => (await api<{ items: GenerationView[] }>(server, '/api/generations', { token })).items[0]!
  await expect.poll(async () => (await first()).params.scale).toBe(0.6)
  await expectPictureStill(page)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Unduh JPEG' }).tap()
  expect((await download).suggestedFilename()).toMatch(/\.jpg$/)
})
