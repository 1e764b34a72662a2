import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import sharp from 'sharp'
import type { GenerationView } from '#features/generations/schemas.ts'
import { startFakeHosted } from '#tests/support/hosted.ts'
import { api } from './support/account.ts'
import { test } from './support/app.ts'
import { expectPictureStill, followPicture } from './support/picture-position.ts'
import { realServer } from './support/server.ts'
import { chooseFiles, openTool } from './support/tool.ts'

const portrait = join(import.meta.dirname, 'fixtures', 'portrait.jpg')

test.use({ runsEngine: true })

test('a selfie is shown in every style before it is paid for, and gets another style and a sticker for free', async ({
  page,
  server,
}) => {
  const token = await openTool(page, server, '/ai-cartoonizer')
  await chooseFiles(page, portrait)
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
    [portrait, await download.path()].map(async (file) => sharp(await readFile(file)).metadata()),
  )
  expect([after?.width, after?.height]).toEqual([before?.width, before?.height])
})

test('an AI redraw sends nothing before the user agrees and learns the recipient', async ({ page }) => {
  const fal = await startFakeHosted('fal', 'the-key')
  const env = { WELCOME_CREDITS: '40', FAL_KEY: 'the-key', FAL_BASE_URL: fal.url, FAL_KEYS_URL: `${fal.url}/keys` }
  const server = await realServer({ env })
  await server.start()
  try {
    const token = await openTool(page, server, '/ai-cartoonizer', 'biometric')
    await chooseFiles(page, portrait)
    await page.getByRole('button', { name: 'Gambar ulang' }).tap()
    await page.getByText('Tanah liat').tap()
    // A provider's result cannot be previewed.
    await expect(page.getByRole('img', { name: 'Pratinjau hasil' })).toHaveCount(0)
    const make = page.getByRole('button', { name: /^Jadikan kartun/ })
    await expect(make).toContainText('16 kredit')
    await make.tap()
    const question = page.getByRole('dialog', { name: 'Boleh fotomu dikirim ke layanan AI luar?' })
    await expect(question).toContainText('fal.ai')
    await page.getByRole('button', { name: 'Tidak setuju' }).tap()
    await expect(make).toBeVisible()
    expect(fal.created).toEqual([])
    await make.tap()
    await page.getByRole('button', { name: 'Saya setuju' }).tap()
    await expect(page.getByRole('heading', { name: 'Gambar berhasil dibuat' })).toBeVisible()
    expect(fal.created).toMatchObject([{ input: { prompt: expect.stringContaining('modelling clay') } }])
    const { items } = await api<{ items: GenerationView[] }>(server, '/api/generations', { token })
    expect(items).toMatchObject([{ credits: 16, provider: 'fal' }])

    // A custom edit request does not wait for a draft either.
    await page.goto(`${server.origin}/customize-edit`)
    await page.getByRole('textbox', { name: 'Permintaan' }).fill('Ganti langit jadi biru')
    await page.locator('input[type=file]').setInputFiles(portrait)
    await page.getByRole('button', { name: 'Buat draf AI' }).tap()
    await expect(page.getByLabel('Yang ingin kamu ubah')).toHaveValue('Ganti langit jadi biru')
    await page.getByRole('button', { name: /^Buat draf/ }).tap()
    await expect(page.getByRole('heading', { name: 'Gambar berhasil dibuat' })).toBeVisible()
    expect(fal.created[1]).toMatchObject({ input: { prompt: expect.stringContaining('Ganti langit jadi biru') } })
  } finally {
    await server.dispose()
    await fal.close()
  }
})
