import { join } from 'node:path'
import { expect, type Locator } from '@playwright/test'
import { test } from './support/app.ts'
import { expectPictureStill, followPicture } from './support/picture-position.ts'
import { chooseFiles, openTool } from './support/tool.ts'

/** Enlargement of one canvas against the other, and the mean change between pixels in each. */
const looksLike = (lens: Locator) =>
  lens.evaluate((section) => {
    const read = (canvas: HTMLCanvasElement) => {
      const { width, height } = canvas
      const data = canvas.getContext('2d')!.getImageData(0, 0, width, height).data
      let sum = 0
      for (let i = 4; i < data.length; i += 4) sum += Math.abs(data[i + 1]! - data[i - 3]!)
      return { width, detail: (4 * sum) / data.length }
    }
    const [before, after] = [...section.querySelectorAll('canvas')].map(read)
    return { larger: after!.width / before!.width, detail: after!.detail }
  })

test('a tapped point shows at once what the sliders do, and the result can be looked at in the same way', async ({
  page,
  server,
}) => {
  await openTool(page, server, '/ai-enhancement')
  await chooseFiles(page, join(import.meta.dirname, '..', 'tests', 'fixtures', 'photos', 'chelsea.jpg'))
  await followPicture(page)
  const area = page.getByRole('button', { name: /^Lihat satu bagian dari dekat/ })
  const box = (await area.boundingBox())!
  await page.touchscreen.tap(box.x + 0.3 * box.width, box.y + 0.4 * box.height)
  const lens = page.getByRole('region', { name: 'Pratinjau detail' })
  await expect(lens.locator('canvas')).toHaveCount(2)
  const first = await looksLike(lens)
  expect(first.larger).toBe(2)

  await expect(lens.locator('canvas').first()).toBeVisible()
  await page.getByRole('button', { name: 'Detail', exact: true }).tap()
  await page.getByRole('slider', { name: 'Ketajaman' }).fill('100')
  await expect.poll(async () => (await looksLike(lens)).detail).toBeGreaterThan(1.1 * first.detail)

  await area.press('Escape')
  await expect(lens).toBeHidden()
  await page.getByRole('button', { name: /^Perjelas foto/ }).tap()
  await expect(page.getByRole('heading', { name: 'Gambar berhasil dibuat' })).toBeVisible()
  await page.getByRole('button', { name: 'Dari dekat' }).tap()
  await page.getByRole('switch', { name: 'Lihat satu bagian dari dekat' }).tap()
  await expect(lens.locator('canvas')).toHaveCount(2)
  await expectPictureStill(page)
})
