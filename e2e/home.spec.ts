import { join } from 'node:path'
import { expect } from '@playwright/test'
import { test } from './support/app.ts'
import { touchOf } from './support/fingers.ts'
import type { RunningServer } from './support/server.ts'

const portrait = join(import.meta.dirname, 'fixtures', 'portrait.jpg')

let server: RunningServer
test.beforeAll(({ server: running }) => {
  server = running
})

test('a chosen photo and its drawings survive a reload in their tab, and are not in another tab', async ({ page }) => {
  await page.goto(`${server.origin}/ai-background-removal`)
  await page.locator('main [type="file"]').first().setInputFiles(portrait)
  const change = page.getByRole('button', { name: 'Ubah pilihannya' })
  await change.tap()
  await page.getByRole('button', { name: 'Koreksi', exact: true }).tap()
  const area = page.getByRole('application', { name: /^Area menggambar/ })
  const { x, y, width, height } = (await area.boundingBox())!
  const fingers = await touchOf(page)
  await fingers('touchStart', { x: x + 0.4 * width, y: y + 0.5 * height })
  for (let step = 1; step <= 4; step++) {
    await fingers('touchMove', { x: x + (0.4 + 0.05 * step) * width, y: y + 0.5 * height })
  }
  await fingers('touchEnd')
  await expect(page.getByRole('button', { name: 'Urungkan' })).toBeEnabled()
  const strokesKept = () =>
    page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const open = indexedDB.open('keyval-store')
          open.onsuccess = () => {
            const store = open.result.transaction('keyval').objectStore('keyval')
            const reading = store.get('draft:background-removal:unsent:settings-3')
            reading.onsuccess = () => {
              open.result.close()
              resolve(reading.result?.stage?.mask.history.strokes.length ?? 0)
            }
          }
        }),
    )
  await expect.poll(strokesKept).toBe(1)
  await page.reload()
  await change.tap()
  await page.getByRole('button', { name: 'Koreksi', exact: true }).tap()
  await expect(page.getByRole('button', { name: 'Urungkan' })).toBeEnabled()
  const other = await page.context().newPage()
  await other.goto(`${server.origin}/ai-background-removal`)
  await expect(other.locator('main [type="file"]').first()).toBeAttached()
  await expect(other.getByRole('button', { name: 'Ganti foto' })).toHaveCount(0)
  await other.close()

  // Another photo chosen at home replaces it, also after the full load.
  await page.getByRole('link', { name: 'Ke beranda' }).tap()
  await page.locator('main [type="file"]').first().setInputFiles(portrait)
  await expect(page.getByText('Foto sebelumnya masih ada')).toBeVisible()
})
