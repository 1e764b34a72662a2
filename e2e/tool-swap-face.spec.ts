import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type Locator, type Page } from '@playwright/test'
import sharp from 'sharp'
import type { CreditBalance } from '#features/credits/schemas.ts'
import type { GenerationView } from '#features/generations/schemas.ts'
import { api } from './support/account.ts'
import { test } from './support/app.ts'
import { expectMessage } from './support/messages.ts'
import { expectPictureStill, followPicture } from './support/picture-position.ts'
import { agreeToFaces, chooseFiles, openTool } from './support/tool.ts'

const photos = join(import.meta.dirname, '..', 'tests', 'fixtures', 'photos')
const photo = (name: string) => sharp(join(photos, name))
/** Three people and another one; small, since cost grows with the pixels. */
const files = [
  { name: 'group.jpg', mimeType: 'image/jpeg', buffer: await photo('group.jpg').resize(800).toBuffer() },
  { name: 'grace_hopper.jpg', mimeType: 'image/jpeg', buffer: await photo('grace_hopper.jpg').toBuffer() },
]

/** Gives the requested consent. */
async function swapOnceAgreed(page: Page, start: Locator): Promise<void> {
  await start.tap()
  await expectMessage(page, 'Centang dulu: semua orang di foto ini setuju.')
  // The test does not wait for another check.
  await page.route('**/swap-face/check', () => undefined)
  await page.getByRole('checkbox', { name: /Semua orang di foto-foto ini/ }).tap()
  await expect(page.getByText('Centang dulu: semua orang di foto ini setuju.')).toHaveCount(0)
  await start.tap()
  await expect(page.getByRole('heading', { name: 'Gambar berhasil dibuat' })).toBeVisible()
}

test('a face is given to another one by tapping both, once all consents are given, and the file is marked', async ({
  page,
  server,
}) => {
  const token = await openTool(page, server, '/ai-swap-face')
  await chooseFiles(page, files)
  await agreeToFaces(page)

  await followPicture(page)
  const targets = page.getByRole('group', { name: 'Wajah yang diganti' })
  await expect(targets.getByRole('button', { pressed: true })).toHaveCount(0)
  await expect(page.getByText('Ketuk dulu wajah yang mau diganti.', { exact: false })).toBeVisible()
  await page.getByRole('button', { name: 'Wajah baru 1', exact: true }).tap()
  await targets.getByRole('button', { pressed: false }).first().tap()
  await targets.getByRole('button', { pressed: false }).first().tap()
  await expect(targets.getByRole('button', { pressed: true })).toHaveCount(2)
  const start = page.getByRole('button', { name: /^Tukar wajah/ })
  await expect(start).toContainText('20 kredit')
  await swapOnceAgreed(page, start)
  expect((await api<CreditBalance>(server, '/api/user/myCredit', { token })).credits).toBe(5)
  const { items } = await api<{ items: GenerationView[] }>(server, '/api/generations', { token })
  expect(items[0]!.facts.swaps).toHaveLength(2)
  await expectPictureStill(page)

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Unduh JPEG' }).tap(),
  ])
  const { xmp } = await sharp(await readFile(await download.path())).metadata()
  expect(xmp?.toString()).toContain('compositeWithTrainedAlgorithmicMedia')
})

test('the glasses of a target face stay, and can be taken off the finished result for free', { tag: '@soak' }, async ({
  page,
  server,
}) => {
  const token = await openTool(page, server, '/ai-swap-face')
  const several = await photo('group.jpg').resize({ width: 320 }).png().toBuffer()
  await chooseFiles(page, [
    { name: 'admiral.jpg', mimeType: 'image/jpeg', buffer: await photo('grace_hopper.jpg').toBuffer() },
    { name: 'several.png', mimeType: 'image/png', buffer: several },
  ])
  await agreeToFaces(page)
  // Another of several faces may work.
  const problem = page.getByRole('listitem').filter({ hasText: /^Wajah baru: Wajah di foto ini terlalu kecil/ })
  await expect(problem).toBeVisible()
  // The message disappears, the reason stays in view.
  await page.getByRole('switch', { name: /Diedit AI/ }).scrollIntoViewIfNeeded()
  await page.getByRole('checkbox', { name: /Semua orang di foto-foto ini/ }).tap()
  await page.getByRole('button', { name: /^Tukar wajah/ }).tap()
  await expect(problem).toBeInViewport({ ratio: 1 })
  await page.getByRole('checkbox', { name: /Semua orang di foto-foto ini/ }).tap()

  await page.getByRole('button', { name: 'Buang Wajah baru 1' }).tap()
  await chooseFiles(page, [join(photos, 'astronaut.jpg')], 'Pilih Wajah baru')
  const keep = page.getByRole('switch', { name: /^Pertahankan kacamata/ })
  await expect(keep).toBeChecked()
  const start = page.getByRole('button', { name: /^Tukar wajah/ })
  await swapOnceAgreed(page, start)
  await expect(page.getByText('Kacamata di foto tujuan tetap dipakai', { exact: false })).toBeVisible()
  const { credits } = await api<CreditBalance>(server, '/api/user/myCredit', { token })

  await keep.tap()
  await expect(page.getByText('Kacamata di foto tujuan tetap dipakai', { exact: false })).toHaveCount(0, {
    timeout: 60_000,
  })
  await expect(keep).not.toBeChecked()
  const { items } = await api<{ items: GenerationView[] }>(server, '/api/generations', { token })
  expect(items[0]!.params.keepGlasses).toBe(false)
  expect((await api<CreditBalance>(server, '/api/user/myCredit', { token })).credits).toBe(credits)
})
