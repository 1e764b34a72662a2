// Latency of the mask editor at 12 megapixels with the page's CPU four times slower: the longest
// interaction (INP, https://web.dev/articles/inp) and the longest frame while drawing.
import { join } from 'node:path'
import { chromium, devices, type Page } from '@playwright/test'
import sharp from 'sharp'
import { createAccount, signInByApi } from '../../e2e/support/account.ts'
import { touchOf } from '../../e2e/support/fingers.ts'
import { realServer } from '../../e2e/support/server.ts'
import { findChromium } from '../../src/scripts/browser.mjs'

const limit = 150
const strokes = 5
const moves = 60
const photo = join(import.meta.dirname, '..', 'fixtures', 'photos', 'seeding.jpg')
const picture = await sharp(photo).resize(4000, 3000, { fit: 'cover' }).jpeg().toBuffer()

interface Watched {
  interactions: Record<number, number>
  drawing: boolean
  longestFrame: number
}

function watch(): void {
  const watched: Watched = { interactions: {}, drawing: false, longestFrame: 0 }
  Object.assign(window, { watched })
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries() as (PerformanceEntry & { interactionId: number })[]) {
      if (interactionId === 0) continue
      watched.interactions[interactionId] = Math.max(watched.interactions[interactionId] ?? 0, duration)
    }
  }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
  let before = performance.now()
  const look = (now: number) => {
    if (watched.drawing) watched.longestFrame = Math.max(watched.longestFrame, now - before)
    before = now
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

const setDrawing = (page: Page, drawing: boolean) =>
  page.evaluate(
    (value) => Object.assign((window as unknown as { watched: Watched }).watched, { drawing: value }),
    drawing,
  )

const server = await realServer()
await server.start()
const { email } = await createAccount(server, 'Ratna')
const token = await signInByApi(server, email)
const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox', '--disable-gpu'] })
const context = await browser.newContext({ ...devices['Pixel 7'], locale: 'id-ID' })
const page = await context.newPage()
await page.addInitScript((held) => localStorage.setItem('authToken', held), token)
await page.addInitScript(watch)
await page.goto(`${server.origin}/ai-object-removal`)
await page.locator('input[type="file"]:not([capture])').first().setInputFiles({
  name: 'taman.jpg',
  mimeType: 'image/jpeg',
  buffer: picture,
})
const editor = page.getByRole('application')
await editor.waitFor()
const { x, y, width, height } = (await editor.boundingBox())!
const tools = await context.newCDPSession(page)
await tools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
const touch = await touchOf(page)

for (const tool of ['Kuas', 'Penghapus']) {
  await page.getByText(tool, { exact: true }).tap()
  for (let stroke = 0; stroke < strokes; stroke++) {
    const at = (share: number) => ({
      x: x + width * (0.15 + 0.7 * share),
      y: y + height * (0.2 + (0.6 * stroke) / strokes + 0.1 * Math.sin(9 * share)),
    })
    await touch('touchStart', at(0))
    await setDrawing(page, true)
    for (let move = 1; move <= moves; move++) await touch('touchMove', at(move / moves))
    await setDrawing(page, false)
    await touch('touchEnd')
  }
}
for (const button of ['Urungkan', 'Ulangi']) await page.getByRole('button', { name: button }).tap()
await page.waitForTimeout(1000)

const { interactions, longestFrame } = await page.evaluate(() => (window as unknown as { watched: Watched }).watched)
const times = Object.values(interactions)
console.log('mask editor on 12 MP, CPU throttling 4 ×')
console.log(`longest of ${times.length} interactions  ${Math.max(...times)} ms  (limit ${limit} ms)`)
console.log(`longest time between two frames of a stroke  ${longestFrame.toFixed(0)} ms`)
await browser.close()
await server.dispose()
