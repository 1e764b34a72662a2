import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import sharp from 'sharp'
import type { GenerationView } from '#features/generations/schemas.ts'
import { api } from './support/account.ts'
import { test } from './support/app.ts'
import { expectMessage } from './support/messages.ts'
import { chooseFiles, openTool } from './support/tool.ts'

const photos = join(import.meta.dirname, '..', 'tests', 'fixtures', 'photos')

test('marks of one photo apply to all photos of its shape, in their pixels; another shape needs its own', async ({
  page,
  server,
}) => {
  const token = await openTool(page, server, '/ai-object-removal')
  const coffee = await readFile(join(photos, 'coffee.jpg'))
  const larger = await sharp(coffee).resize(1200, 800).jpeg().toBuffer()
  const file = (name: string, buffer: Buffer) => ({ name, buffer, mimeType: 'image/jpeg' })
  const portrait = await readFile(join(photos, 'grace_hopper.jpg'))
  await chooseFiles(page, [file('kopi.jpg', coffee), file('besar.jpg', larger), file('potret.jpg', portrait)])
  const size = page.viewportSize()!
  await page.setViewportSize({ width: 360, height: 640 })
  await expect(page.getByRole('button', { name: 'Ketuk untuk menandai' })).toBeInViewport({ ratio: 1 })
  await page.setViewportSize(size)
  const sweep = async () => {
    const { x, y, width, height } = (await page.getByRole('application').boundingBox())!
    await page.mouse.move(x + 0.4 * width, y + 0.4 * height)
    await page.mouse.down()
    await page.mouse.move(x + 0.5 * width, y + 0.5 * height, { steps: 4 })
    await page.mouse.up()
  }
  const marked = page.getByLabel('Sudah ditandai')
  await sweep()
  await expect(marked).toHaveCount(2)
  const start = page.getByRole('button', { name: 'Hapus objek di 3 foto' })
  await expect(start).toContainText('15 kredit')
  await start.tap()
  await expectMessage(page, 'Sapu dulu bagian yang mau dihapus')
  await expect(page.getByRole('button', { name: 'Lihat foto 3', pressed: true })).toBeVisible()
  await sweep()
  await expect(marked).toHaveCount(3)
  await page.getByRole('button', { name: 'Lihat foto 2' }).tap()
  const same = page.getByRole('switch', { name: 'Tanda yang sama untuk foto seukuran' })
  await same.uncheck({ force: true })
  await sweep()
  await start.tap()
  await expect(page.getByRole('button', { name: /^Selesai/ })).toHaveCount(3)
  const { items } = await api<{ items: GenerationView[] }>(server, '/api/generations', { token })
  const sent = items.map(({ inputs, params }) => {
    const strokes = params.strokes as { points: number[] }[]
    return [inputs[0]!.width, strokes.length, Math.round((100 * strokes[0]!.points[0]!) / inputs[0]!.width)]
  })
  expect(
    sent.sort(([a = 0], [b = 0]) => a - b).map(([width, count, at = 0]) => [width, count, at > 35 && at < 45]),
  ).toEqual([
    [384, 1, true],
    [600, 1, true],
    [1200, 2, true],
  ])
})
