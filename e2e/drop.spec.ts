import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { test } from './support/app.ts'
import { photo, studio } from './support/send-photo.ts'

/** By the browser's own events, like a drag from the desktop. */
async function dragOver(page: Page, file: string) {
  const session = await page.context().newCDPSession(page)
  const data = { items: [], files: [file], dragOperationsMask: 1 }
  const report = (type: 'dragEnter' | 'dragOver' | 'drop', { x, y }: { x: number; y: number }) =>
    session.send('Input.dispatchDragEvent', { type, x, y, data })
  const zone = page.getByRole('region', { name: 'Pilih foto' })
  const box = await zone.boundingBox()
  if (!box) throw new Error('there is no place for a photo')
  const middle = { x: box.x + box.width / 2, y: box.y + 30 }
  await report('dragEnter', middle)
  await report('dragOver', middle)
  const leave = () => report('dragOver', { x: -5, y: -5 })
  const drop = async (at = middle) => {
    await report('dragOver', at)
    await report('drop', at)
  }
  return { drop, leave }
}

const chosen = (page: Page) => page.getByRole('img', { name: 'Foto yang kamu pilih' })

test('a photo dropped on the home page opens the studio with it', async ({ page }) => {
  await page.goto('/')
  await expect(page.locator('[data-prerendered]')).toHaveCount(0)
  const { drop } = await dragOver(page, photo)
  await expect(page.locator('.drop-zone[data-over]')).toBeVisible()
  await drop()
  await expect(page).toHaveURL(new RegExp(`${studio}$`))
  await expect(chosen(page)).toBeVisible()
})

test('the studio shows a drop target while a photo is dragged over the page, and accepts it anywhere', async ({
  page,
}) => {
  await page.goto(studio)
  await expect(page.locator('[data-prerendered]')).toHaveCount(0)
  const over = page.locator('.drop-zone[data-over]')
  const { leave } = await dragOver(page, photo)
  await expect(over).toBeVisible()
  await leave()
  await expect(over).toHaveCount(0)
  const { drop } = await dragOver(page, photo)
  await expect(over).toBeVisible()
  await drop({ x: 20, y: 300 })
  await expect(chosen(page)).toBeVisible()
  // The browser would have opened the file instead of the app.
  await expect(page).toHaveURL(new RegExp(`${studio}$`))
})

test('a picture that was copied elsewhere is pasted into the studio, or by a button', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(studio)
  await expect(page.locator('[data-prerendered]')).toHaveCount(0)
  await page.evaluate(
    async (bytes) => {
      const photo = await createImageBitmap(new Blob([Uint8Array.from(atob(bytes), (byte) => byte.charCodeAt(0))]))
      const canvas = new OffscreenCanvas(photo.width, photo.height)
      canvas.getContext('2d')?.drawImage(photo, 0, 0)
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': canvas.convertToBlob() })])
    },
    (await readFile(photo)).toString('base64'),
  )
  await page.keyboard.press('Control+V')
  await expect(chosen(page)).toBeVisible()
  await page.goto('/open-with')
  await page.getByRole('button', { name: 'Tempel foto' }).tap()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mau diapakan fotonya?')
})
