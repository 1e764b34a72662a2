import { expect } from '@playwright/test'
import sharp from 'sharp'
import type { GenerationView } from '#features/generations/schemas.ts'
import { api } from './support/account.ts'
import { test } from './support/app.ts'
import { expectPictureStill, followPicture } from './support/picture-position.ts'
import { smallPortrait } from './support/portrait.ts'
import { chooseFiles, openTool } from './support/tool.ts'

test('a grey portrait gets three versions, with the colour that was tapped', async ({ page, server }) => {
  const token = await openTool(page, server, '/ai-colorizer')
  await chooseFiles(page, {
    name: 'kakek.png',
    mimeType: 'image/png',
    buffer: await sharp(smallPortrait.buffer).greyscale().png().toBuffer(),
  })

  await followPicture(page)
  const area = page.getByRole('application')
  await expect(async () => {
    await page.getByRole('button', { name: 'Petunjuk warna' }).tap()
    await expect(area).toBeVisible({ timeout: 1000 })
  }).toPass()
  await page.getByRole('button', { name: 'Merah' }).tap()
  const box = (await area.boundingBox())!
  await page.touchscreen.tap(box.x + box.width / 2, box.y + 0.9 * box.height)
  await expect(page.getByRole('button', { name: 'Urungkan' })).toBeEnabled()
  await page.getByRole('button', { name: 'Tandai dengan satu ketukan' }).tap()
  await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2)
  await expect(area.locator('path[fill-opacity]')).toHaveCount(1)
  await page.getByRole('button', { name: /^Warnai foto/ }).tap()
  await expect(page.getByRole('heading', { name: 'Gambar berhasil dibuat' })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Semua hasil' }).getByRole('button')).toHaveCount(3)
  await expectPictureStill(page)
  const { items } = await api<{ items: GenerationView[] }>(server, '/api/generations', { token })
  expect(items[0]!.params.hints).toMatchObject([{ color: '#b3262b' }, { color: '#b3262b', shape: 'area' }])
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Unduh JPEG' }).tap()
  expect((await download).suggestedFilename()).toMatch(/\.jpg$/)
})
