// A first visit at 400 kbit/s and 400 ms: first paint, the visible answer to a tap, interactivity,
// the studio of a chosen photo, offline readiness; then a reload.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { slowNetwork } from '../../e2e/support/slow-network.ts'
import { findChromium } from '../../src/scripts/browser.mjs'
import { startServerProcess } from '../support/server-process.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'rupa-bench-'))
const server = await startServerProcess({ DATA_DIR: dataDir })
const executablePath = findChromium()
const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ['--no-sandbox'] })

/** Milliseconds to first contentful paint, and layout shift. */
const seen = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<{ painted: number; moved: number }>((resolve) => {
        let moved = 0
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) moved += (entry as PerformanceEntry & { value: number }).value
        }).observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => {
          const painted = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN
          resolve({ painted, moved })
        }, 100)
      }),
  )

const slow = { bitsPerSecond: 400_000, roundTripMilliseconds: 400 }
const openNetwork = () => slowNetwork(Number(new URL(server.url).port), slow)
const openPage = (browser: Browser) =>
  browser.newContext({ viewport: { width: 390, height: 844 } }).then((context) => context.newPage())

/** Seconds until a tapped button shows that it was touched; its action follows with the code. */
async function timeOfAnswer(browser: Browser, path: string): Promise<string> {
  const network = await openNetwork()
  const page = await openPage(browser)
  await page.goto(`${network.origin}${path}`, { waitUntil: 'commit' })
  // Before its styles the page has buttons that a phone never shows.
  await page.waitForFunction(() => performance.getEntriesByType('paint').length > 0)
  await page.locator('button:visible').first().click()
  const answered = () => document.querySelector('[aria-busy=true]') !== null && performance.now()
  const time = await (await page.waitForFunction(answered, undefined, { timeout: 60_000 })).jsonValue()
  await page.context().close()
  await network.close()
  return (Number(time) / 1000).toFixed(2)
}

/** Seconds from choosing a photo on the painted page to the studio with its buttons. */
async function timeOfStudio(browser: Browser, path: string): Promise<string> {
  const network = await openNetwork()
  const page = await openPage(browser)
  await page.goto(`${network.origin}${path}`, { waitUntil: 'commit' })
  await page.waitForFunction(() => performance.getEntriesByType('paint').length > 0)
  const chosen = performance.now()
  await page.locator('input[type=file]').first().setInputFiles('tests/fixtures/photos/coffee.jpg')
  await page.getByRole('button', { name: 'Ganti foto' }).waitFor({ timeout: 60_000 })
  const time = performance.now() - chosen
  await page.context().close()
  await network.close()
  return (time / 1000).toFixed(1)
}

async function visit(browser: Browser, path: string): Promise<void> {
  const answered = await timeOfAnswer(browser, path)
  const studio = await timeOfStudio(browser, path)
  const network = await openNetwork()
  const page = await openPage(browser)
  const begun = performance.now()
  const since = () => ((performance.now() - begun) / 1000).toFixed(1)
  const living = () => page.locator('#root:not([data-prerendered]) h1').waitFor({ timeout: 60_000 })
  await page.goto(`${network.origin}${path}`, { waitUntil: 'commit' })
  await living()
  const alive = since()
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null, undefined, { timeout: 180_000 })
  const { bytes, requests } = network.carried()
  const first = await seen(page)
  console.log(`${path}`)
  console.log(
    `  first content after ${(first.painted / 1000).toFixed(2)} s (aim ≤ 2.5), answers a tap after ${answered} s`,
  )
  console.log(`  interactive after ${alive} s (aim ≤ 3.5), studio ${studio} s after a photo was chosen`)
  console.log(
    `  ready for offline after ${since()} s (aim ≤ 25): ${requests} requests, ${(bytes / 1024).toFixed(0)} KB`,
  )
  await page.goto(`${network.origin}${path}`, { waitUntil: 'commit' })
  await living()
  const again = await seen(page)
  console.log(`  repeat visit: first content after ${(again.painted / 1000).toFixed(2)} s (aim ≤ 0.6)`)
  console.log(`  layout shift ${first.moved.toFixed(3)}, on the repeat visit ${again.moved.toFixed(3)} (aim ≤ 0.02)`)
  await page.context().close()
  await network.close()
}

try {
  for (const path of ['/', '/ai-background-removal']) await visit(browser, path)
} finally {
  await browser.close()
  await server.end('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
}
