import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import sharp from 'sharp'
import type { GenerationView } from '#features/generations/schemas.ts'
import { api } from './support/account.ts'
import { test } from './support/app.ts'
import { expectPictureStill, followPicture } from './support/picture-position.ts'
import { smallPortrait } from './support/portrait.ts'
import { chooseFiles, openTool } from './support/tool.ts'

test.use({ runsEngine: true })

test('a selfie is shown in every style before it is paid for, and gets another style and a sticker for free', async ({
  page,
  server,
}) => {
  const token = await openTool(page, server, '/ai-cartoonizer')
  await chooseFiles(page, smallPortrait)
  await followPicture(page)
  const styles = page.getByRole('group', { name: 'Gaya gambar' }).getByRole('button')
  await expect(styles).toHaveCount(8)
  // Each sample is drawn on the device from the user's photo.
  await expect(styles.locator('img[src^="data:image/webp"]')).toHaveCount(8)
  // The large picture shows the chosen style, too.
  const large = page.getByRole('img', { name: 'Pratinjau hasil' })
  await expect(large).toBeVisible()
  const comic = await large.getAttribute('src')
  await page.getByRole('button', { name: 'Tinta' }).tap()
  await expect(large).not.toHaveAttribute('src', comic as string)
  await page.getByRole('button', { name: /^Jadikan kartun/ }).tap()
  await page.getByRole('button', { name: 'Saya setuju' }).tap()
  await expect(page.getByRole('heading', { name: 'Gambar berhasil dibuat' })).toBeVisible()

  const rendered = page.waitForResponse((response) => response.url().endsWith('/render'))
  await page.getByRole('button', { name: 'Latar', exact: true }).tap()
  await page.getByText('Stiker WhatsApp').tap()
  expect((await rendered).ok()).toBe(true)
  await expectPictureStill(page)
  const { items } = await api<{ items: GenerationView[] }>(server, '/api/generations', { token })
  expect(items[0]).toMatchObject({ credits: 8, outputs: [{ contentType: 'image/jpeg' }, { label: 'sticker' }] })

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Unduh JPEG' }).tap(),
  ])
  const [before, after] = await Promise.all(
    [smallPortrait.buffer, await readFile(await download.path())].map((bytes) => sharp(bytes).metadata()),
  )
  expect([after?.width, after?.height]).toEqual([before?.width, before?.height])
})
