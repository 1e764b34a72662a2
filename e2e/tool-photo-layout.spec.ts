import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import sharp from 'sharp'
import { decodePicture } from '#engine/node/codecs.ts'
import type { GenerationView } from '#features/generations/schemas.ts'
import { type PhotoLayoutParams, photoLayout } from '#tools/photo-layout/contract/definition.ts'
import { renderPage } from '#tools/photo-layout/engine/compose.ts'
import { api } from './support/account.ts'
import { test } from './support/app.ts'
import { touchOf } from './support/fingers.ts'
import { expectPictureStill, followPicture } from './support/picture-position.ts'
import { chooseFiles, openTool } from './support/tool.ts'

const folder = join(import.meta.dirname, '..', 'tests', 'fixtures', 'photos')
const names = ['coffee', 'chelsea', 'brick', 'seeding', 'astronaut']

/** Lossless, so that every decoder sees the same pixels. */
const pictures = () =>
  Promise.all(
    names.map(async (name) => ({
      name: `${name}.png`,
      mimeType: 'image/png',
      buffer: await sharp(await readFile(join(folder, `${name}.jpg`)))
        .resize(420)
        .png()
        .toBuffer(),
    })),
  )

async function previewOf(page: Page): Promise<Buffer> {
  const url = await page.locator('.layout-stage canvas').evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL())
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')
}

test('photos are swapped by dragging, and the preview matches the server’s result', async ({ page, server }) => {
  // Cells are reframed once the check has found faces, at an unknown time.
  await page.route('**/api/tools/photo-layout/check', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), faces: [] } })
  })
  const token = await openTool(page, server, '/photo-layout')
  const files = await pictures()
  await chooseFiles(page, files)

  await followPicture(page)
  const cells = page.locator('.layout-cell')
  await expect(cells).toHaveCount(5)
  const canvas = page.locator('.layout-stage canvas')
  await expect(canvas).toHaveAttribute('aria-busy', 'false')
  const [upper, lower] = await Promise.all([cells.first().boundingBox(), cells.last().boundingBox()])
  const middle = (box: typeof upper) => ({ x: box!.x + box!.width / 2, y: box!.y + box!.height / 2 })
  const touch = await touchOf(page)
  await touch('touchStart', middle(upper))
  await touch('touchMove', { x: middle(upper).x + 20, y: middle(upper).y + 20 })
  await touch('touchMove', middle(lower))
  await touch('touchEnd')
  const line = page.getByRole('textbox', { name: 'Tulisan di halaman' })
  await expect(async () => {
    await page.getByRole('button', { name: 'Tulisan', exact: true }).tap()
    await expect(line).toBeVisible({ timeout: 1000 })
  }).toPass()
  await line.fill('Kopi & kucing 😺')
  await expect(line).toHaveValue('Kopi & kucing ')
  await expect(canvas).toHaveAttribute('aria-busy', 'false')
  const preview = await previewOf(page)

  await page.getByRole('button', { name: /^Susun foto/ }).tap()
  await expect(page.getByRole('heading', { name: 'Gambar berhasil dibuat' })).toBeVisible()
  const { items } = await api<{ items: GenerationView[] }>(server, '/api/generations', { token })
  const params = { ...photoLayout.defaults, ...items[0]!.params } as PhotoLayoutParams
  expect(params.order).toEqual([4, 1, 2, 3, 0])

  const shown = await decodePicture(preview)
  const made = renderPage(
    { pictures: await Promise.all(files.map(({ buffer }) => decodePicture(buffer))), faces: [] },
    params,
    shown,
  )
  let most = 0
  for (let i = 0; i < made.data.length; i++) most = Math.max(most, Math.abs(made.data[i]! - shown.data[i]!))
  expect(most).toBeLessThanOrEqual(1)

  // The divisions for five pictures, as before the start.
  await page.getByRole('button', { name: 'Susunan', exact: true }).tap()
  const divisions = page.getByRole('group', { name: 'Susunan halaman' })
  await expect(divisions.getByRole('button').first().locator('rect')).toHaveCount(5)

  // Swapping two of them back renders for free.
  await page.getByRole('button', { name: 'Geser dan tukar foto' }).tap()
  await expect(cells).toHaveCount(5)
  await expect(canvas).toHaveAttribute('aria-busy', 'false')
  const again = await Promise.all([cells.first().boundingBox(), cells.last().boundingBox()])
  await touch('touchStart', middle(again[0]))
  await touch('touchMove', { x: middle(again[0]).x + 20, y: middle(again[0]).y + 20 })
  await touch('touchMove', middle(again[1]))
  await touch('touchEnd')
  const first = async () => (await api<{ items: GenerationView[] }>(server, '/api/generations', { token })).items[0]!
  await expect.poll(async () => (await first()).params.order).toEqual([])
  expect((await first()).credits).toBe(items[0]!.credits)
  await page.getByRole('button', { name: 'Selesai mengatur' }).tap()
  await expect(page.getByText('Hasil siap')).toBeAttached()
  await expectPictureStill(page)

  const download = page.waitForEvent('download')
  await page
    .getByRole('button', { name: /^Simpan|^Unduh/ })
    .first()
    .tap()
  const { width } = await sharp(await readFile(await (await download).path())).metadata()
  expect(width).toBe(2048)
})

test('a visitor arranges a small sample that carries the product’s name', async ({ page, server }) => {
  await page.goto(`${server.origin}/photo-layout`)
  const grey = await sharp({ create: { width: 900, height: 900, channels: 3, background: '#777777' } })
    .png()
    .toBuffer()
  const files = ['a', 'b', 'c', 'd'].map((name) => ({ name: `${name}.png`, mimeType: 'image/png', buffer: grey }))
  await chooseFiles(page, files)
  await expect(page.locator('.layout-cell')).toHaveCount(4)
  await expect(page.locator('.layout-stage canvas')).toHaveAttribute('aria-busy', 'false')
  const { data, info } = await sharp(await previewOf(page))
    .raw()
    .toBuffer({ resolveWithObject: true })
  expect(Math.max(info.width, info.height)).toBeLessThanOrEqual(640)
  // Ignores the white page.
  const greys = new Set(data.filter((value, i) => i % info.channels === 0 && value > 0x40 && value < 0xd0))
  expect(Math.max(...greys) - Math.min(...greys)).toBeGreaterThan(20)
})
