import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type Locator, type Page } from '@playwright/test'
import sharp from 'sharp'
import type { CreditBalance } from '#features/credits/schemas.ts'
import type { GenerationView } from '#features/generations/schemas.ts'
import { api } from '../../e2e/support/account.ts'
import { test } from '../../e2e/support/app.ts'
import { expectMessage } from '../../e2e/support/messages.ts'
import { agreeToFaces, chooseFiles, openTool } from '../../e2e/support/tool.ts'

const photos = join(import.meta.dirname, '..', 'fixtures', 'photos')

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

test('the glasses of a target face stay, and can be taken off the finished result for free', async ({
  page,
  server,
}) => {
  const token = await openTool(page, server, '/ai-swap-face')
  const [admiral, group] = [join(photos, 'grace_hopper.jpg'), join(photos, 'group.jpg')]
  const several = await sharp(group).resize({ width: 320 }).png().toBuffer()
  await chooseFiles(page, [
    { name: 'admiral.jpg', mimeType: 'image/jpeg', buffer: await readFile(admiral) },
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

  await chooseFiles(page, [join(photos, 'grace_hopper.jpg'), join(photos, 'astronaut.jpg')], 'Ganti foto')
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
