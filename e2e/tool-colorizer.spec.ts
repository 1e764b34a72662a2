import { join } from 'node:path'
import { expect } from '@playwright/test'
import sharp from 'sharp'
import type { GenerationView } from '#features/generations/contract.ts'
import { api, createAccount, signInByApi } from './support/account.ts'
import { type RealServer, realServer } from './support/server.ts'
import { test } from './support/test.ts'

test.describe.configure({ timeout: 240_000 })

let server: RealServer
test.beforeAll(async () => {
  server = await realServer()
  await server.start()
})
test.afterAll(() => server.dispose())

test('a grey portrait gets three versions, with the colour that was tapped', async ({ page }) => {
  const { email } = await createAccount(server, 'Sari')
  const token = await signInByApi(server, email)
  await page.addInitScript((held) => localStorage.setItem('authToken', held), token)
  await page.goto(`${server.origin}/ai-colorizer`)
  const portrait = join(import.meta.dirname, 'fixtures', 'portrait.jpg')
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Pilih foto' }).tap(),
  ])
  await chooser.setFiles({
    name: 'kakek.png',
    mimeType: 'image/png',
    buffer: await sharp(portrait).greyscale().png().toBuffer(),
  })

  const area = page.getByRole('application')
  await expect(async () => {
    await page.getByRole('button', { name: 'Petunjuk warna' }).tap()
    await expect(area).toBeVisible({ timeout: 1000 })
  }).toPass()
  await page.getByRole('button', { name: 'Merah' }).tap()
  const box = (await area.boundingBox())!
  await page.touchscreen.tap(box.x + box.width / 2, box.y + 0.9 * box.height)
  await expect(page.getByRole('button', { name: 'Urungkan' })).toBeEnabled()
  await page.getByRole('button', { name: /^Warnai foto/ }).tap()
  await expect(page.getByRole('heading', { name: 'Gambar berhasil dibuat' })).toBeVisible({ timeout: 90_000 })
  await expect(page.getByRole('list', { name: 'Semua hasil' }).getByRole('button')).toHaveCount(3)
  const { items } = await api<{ items: GenerationView[] }>(server, '/api/generations', { token })
  expect(items[0]!.params.hints).toMatchObject([{ color: '#b3262b' }])
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Unduh JPEG' }).tap()
  expect((await download).suggestedFilename()).toMatch(/\.jpg$/)
})
