import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import sharp from 'sharp'
import { createAccount, navigateInApp, signInByApi } from './support/account.ts'
import { test } from './support/app.ts'
import { chooseAppearance } from './support/appearance.ts'
import { generate } from './support/generate.ts'
import { expectPictureStill, followPicture, shareSeen } from './support/picture-position.ts'
import { choosePictures, pictureTools } from './support/tool.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

const portrait = join(import.meta.dirname, 'fixtures', 'portrait.jpg')

const sizes = [
  [360, 640],
  [390, 844],
  [844, 390],
  [1440, 900],
] as const

/** Reports if the sheet was empty at any moment. */
async function watchOptions(page: Page): Promise<() => Promise<boolean>> {
  const seen = await page.evaluateHandle(() => {
    const state = { bare: false }
    const look = () => {
      state.bare ||= document.querySelector('.studio-options')?.childElementCount === 0
      requestAnimationFrame(look)
    }
    look()
    return state
  })
  return () => seen.evaluate(({ bare }) => bare)
}

test('the picture keeps its position from choosing to the result at every size', async ({ page, server }) => {
  const { email } = await createAccount(server, 'Sari')
  const token = await signInByApi(server, email)
  await page.addInitScript((held) => localStorage.setItem('authToken', held), token)
  await page.goto('/pricing')
  for (const [width, height] of sizes) {
    await test.step(`${width} × ${height}`, async () => {
      await page.setViewportSize({ width, height })
      await navigateInApp(page, '/ai-background-removal')
      await page.getByRole('button', { name: 'Pilih foto' }).setInputFiles(portrait)
      const start = page.getByRole('button', { name: /^Hapus latar/ })
      await expect(start).toBeVisible()
      await expect(page.getByRole('img', { name: 'Foto yang kamu pilih' })).toBeVisible()
      await followPicture(page)

      // A single tap suffices.
      await expect(start).toBeInViewport({ ratio: 1 })
      await expect(page.getByRole('navigation', { name: 'Menu utama' })).toBeHidden()
      const bare = await watchOptions(page)
      await start.click()
      const download = page.getByRole('button', { name: 'Unduh PNG' })
      await expect(download).toBeInViewport({ ratio: 1, timeout: 60_000 })
      await expect(page.locator('.viewer')).not.toHaveAttribute('data-revealing')
      expect(await bare(), 'the sheet was empty').toBe(false)

      const position = await expectPictureStill(page)
      expect(await shareSeen(page)).toBeGreaterThanOrEqual(0.55)

      // The sheet takes at most 35 % of a phone's height.
      const sheet = (await page.locator('.studio-sheet').boundingBox())!
      const beside = sheet.x > position.x + position.width / 2
      expect(beside || sheet.y >= position.y + position.height - 1).toBe(true)
      if (width < height) expect(sheet.height).toBeLessThanOrEqual(0.35 * height + 1)

      // Including the line.
      await page.getByRole('button', { name: 'Perbesar' }).click()
      const line = await page
        .locator('.compare-handle')
        .evaluate((handle) => Number.parseFloat(getComputedStyle(handle, '::before').height))
      expect(line).toBeGreaterThanOrEqual((await page.locator('.studio-stage').boundingBox())!.height)
      await page.getByRole('button', { name: 'Tampilkan seluruh foto' }).click()

      // At 200 % text the title keeps its place beside the buttons.
      const setText = (percent: number) =>
        page.evaluate((size) => document.documentElement.style.setProperty('font-size', `${size}%`), percent)
      await setText(200)
      if (width === 360) await page.setViewportSize({ width: 320, height })
      const cut = await download.evaluate((button) => {
        const { left, right } = button.getBoundingClientRect()
        const parts = document.createRange()
        parts.selectNodeContents(button)
        return [...parts.getClientRects()].filter((part) => part.left < left || part.right > right).length
      })
      expect(cut, 'parts of the label beside its button').toBe(0)
      const title = page.getByRole('heading', { level: 1 })
      if (width !== 360) expect((await title.boundingBox())?.width).toBeGreaterThan(110)
      if (beside) {
        await page.setViewportSize({ width: Math.min(width, 1024), height })
        expect(await title.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
      }
      await setText(100)
      await navigateInApp(page, '/pricing')
    })
  }
})

test('at 200 % text the labels of a narrow photo do not overlap, and a message keeps its button', async ({
  page,
  server,
}) => {
  const { email } = await createAccount(server, 'Sari')
  const token = await signInByApi(server, email)
  await page.addInitScript((held) => localStorage.setItem('authToken', held), token)
  await page.setViewportSize({ width: 360, height: 640 })
  const narrow = await sharp(portrait).resize(300, 560).jpeg().toBuffer()
  const { id } = await generate(server, token, narrow)
  await page.goto(`/ai-background-removal?result=${id}`)
  await expect(page.getByRole('button', { name: 'Unduh PNG' })).toBeInViewport({ ratio: 1, timeout: 60_000 })
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
  const [before, after] = await Promise.all(
    ['Sebelum', 'Sesudah'].map(async (side) => (await page.locator('.compare-tag', { hasText: side }).boundingBox())!),
  )
  const apart = before!.x + before!.width <= after!.x || before!.y + before!.height <= after!.y
  expect(apart, 'the names of the sides').toBe(true)

  await navigateInApp(page, '/pricing')
  await generate(server, token, narrow)
  const message = page.locator('.toast > .alert')
  const inside = await message.evaluate((alert) => {
    const { left, right } = alert.getBoundingClientRect()
    const parts = [...alert.children].map((part) => part.getBoundingClientRect())
    return left >= 0 && right <= innerWidth && parts.every((part) => part.left >= left && part.right <= right)
  })
  expect(inside, 'what the message consists of').toBe(true)
})

test('in every tool the picture has the same position at every size, and the sheet does not cover it', async ({
  page,
  server,
}, info) => {
  // The colorizer offers nothing for a photo in colour.
  const grey = info.outputPath('grey.png')
  await sharp(portrait).greyscale().toFile(grey)
  const { email } = await createAccount(server, 'Sari')
  const token = await signInByApi(server, email)
  await page.addInitScript((held) => localStorage.setItem('authToken', held), token)
  // English has the longer names.
  await chooseAppearance(page, { theme: 'light', language: 'en' })
  await page.goto('/pricing')
  const columns: Record<string, Set<string>> = {}
  for (const tool of pictureTools) {
    await choosePictures(page, tool, grey)
    for (const [width, height] of [...sizes, [360, 560]] as const) {
      await page.setViewportSize({ width, height })
      const stage = (await page.locator('.studio-stage').boundingBox())!
      const sheet = (await page.locator('.studio-sheet').boundingBox())!
      const what = `${tool.route} at ${width} × ${height}`
      columns[`${width} × ${height}`] ??= new Set()
      columns[`${width} × ${height}`]?.add([stage.x, stage.y, stage.width, stage.height].map(Math.round).join(' '))
      const apart = sheet.x >= stage.x + stage.width - 1 || sheet.y >= stage.y + stage.height - 1
      expect.soft(apart, what).toBe(true)
      if (width < height) expect.soft(sheet.height, what).toBeLessThanOrEqual(0.35 * height + 1)
      else expect.soft(sheet.width, what).toBeLessThanOrEqual(0.4 * width)
      const label = (await page.locator('.studio-action .btn > span').first().boundingBox())!
      expect.soft(label.height, `one line on the button of ${what}`).toBeLessThan(32)
    }
  }
  // The same position for all tools, whatever their names and options.
  expect(Object.entries(columns).map(([size, found]) => [size, ...found])).toEqual(
    Object.keys(columns).map((size) => [size, expect.any(String)]),
  )

  // Opened options are visible even below a lot of content.
  await page.setViewportSize({ width: 360, height: 640 })
  await choosePictures(page, pictureTools.find(({ route }) => route === '/photo-layout')!, grey)
  await page.getByRole('button', { name: 'Text', exact: true }).tap()
  await expect(page.getByRole('textbox', { name: 'Text on the page' })).toBeInViewport({ ratio: 1 })
})

test('small and landscape phones show everything needed to start, and the offline notice does not cover the title', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 640 })
  await page.goto('/')
  const dock = (await page.getByRole('navigation', { name: 'Menu utama' }).boundingBox())!
  const choose = (await page.getByRole('button', { name: 'Pilih foto' }).boundingBox())!
  expect(choose.y + choose.height).toBeLessThan(dock.y)
  await page.setViewportSize({ width: 844, height: 390 })
  await expect(page.getByRole('button', { name: 'Pilih foto' })).toBeInViewport({ ratio: 1 })
  await page.goto('/ai-background-removal')
  await expect(page.getByRole('button', { name: 'Pilih foto' })).toBeInViewport({ ratio: 1 })
  await expect(page.getByRole('button', { name: 'Contoh: kucing' })).toBeInViewport({ ratio: 1 })

  await page.getByRole('button', { name: 'Pilih foto' }).setInputFiles(portrait)
  const title = page.getByRole('heading', { level: 1 })
  await expect(page.locator('.studio-layout')).toBeVisible()
  await page.context().setOffline(true)
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height })
    await expect(page.locator('.studio-offline')).toBeInViewport({ ratio: 1 })
    const covered = await title.evaluate((heading) => {
      const { left, top, width: wide, height: high } = heading.getBoundingClientRect()
      const columns = Array.from({ length: 20 }, (_, i) => left + ((i + 0.5) / 20) * wide)
      // Decoration is not a target of taps.
      for (const drawn of document.querySelectorAll<HTMLElement>('.offline-place *')) drawn.style.pointerEvents = 'auto'
      return columns.filter((x) => document.elementFromPoint(x, top + high / 2) !== heading)
    })
    expect(covered, `${width} × ${height}`).toEqual([])
  }
})
