import { join } from 'node:path'
import { expect } from '@playwright/test'
import sharp from 'sharp'
import type { GenerationView } from '#features/generations/schemas.ts'
import { api } from './support/account.ts'
import { test } from './support/app.ts'
import { drawAcross } from './support/fingers.ts'
import { expectPictureStill, followPicture } from './support/picture-position.ts'
import { chooseFiles, openTool } from './support/tool.ts'

const photo = join(import.meta.dirname, '..', 'tests', 'fixtures', 'photos', 'group.jpg')
/** Three people; small, since cost grows with the pixels. */
const group = { name: 'group.jpg', mimeType: 'image/jpeg', buffer: await sharp(photo).resize(700).toBuffer() }

test('faces of a group are picked by a tap, cut out, and get a border for free', async ({ page, server }) => {
  const token = await openTool(page, server, '/ai-face-cutout', 'biometric')
  await chooseFiles(page, group)

  await followPicture(page)
  const faces = page.getByRole('group', { name: 'Wajah yang dipotong' }).getByRole('button')
  await expect(faces).toHaveCount(3)
  await faces.nth(1).tap()
  await expect(faces.nth(1)).toHaveAttribute('aria-pressed', 'false')
  await page.getByRole('button', { name: /^Potong wajah/ }).tap()
  await expect(page.getByRole('heading', { name: 'Gambar berhasil dibuat' })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Semua hasil' }).getByRole('listitem')).toHaveCount(2)

  const rendered = page.waitForResponse((response) => response.url().endsWith('/render'))
  await page.getByRole('button', { name: 'Tepi stiker' }).tap()
  await page.getByRole('button', { name: 'Kuning' }).tap()
  expect((await rendered).ok()).toBe(true)
  await expect(page.getByText('Hasil siap')).toBeAttached()
  // The photo, the first face, and the same with its border.
  await expectPictureStill(page)
  const { items } = await api<{ items: GenerationView[] }>(server, '/api/generations', { token })
  expect(items[0]).toMatchObject({ credits: 5, outputs: [{ label: '1' }, { label: '2' }] })

  // Strokes over the second head change only that one.
  await page.getByRole('button', { name: 'Hasil 2' }).tap()
  await page.getByRole('button', { name: 'Koreksi', exact: true }).tap()
  await page.getByText('Buang', { exact: true }).tap()
  const before = await page.getByRole('img', { name: 'Hasil edit' }).first().getAttribute('src')
  const corrected = page.waitForResponse((response) => response.url().endsWith('/render') && response.ok())
  await drawAcross(page, [
    [0.3, 0.85],
    [0.7, 0.85],
  ])
  await corrected
  await expect(page.getByRole('img', { name: 'Hasil edit' }).first()).not.toHaveAttribute('src', before ?? '')
  const { items: after } = await api<{ items: GenerationView[] }>(server, '/api/generations', { token })
  expect(after[0]?.params.strokes).toMatchObject([{ mode: 'erase', subject: 2 }])
  const sizes = (outputs: GenerationView['outputs'] = []) => outputs.map(({ width, height }) => [width, height])
  expect(sizes(after[0]?.outputs)[0]).toEqual(sizes(items[0]?.outputs)[0])

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Unduh PNG' }).tap(),
  ])
  expect((await sharp(await download.path()).metadata()).hasAlpha).toBe(true)
})
