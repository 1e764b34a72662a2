// A first visit at 400 kbit/s and 400 ms: how long until the start page is shown, and until the app
// works without the network.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { slowNetwork } from '../../e2e/support/slow-network.ts'
import { findChromium } from '../../src/dev/browser.mjs'
import { startServerProcess } from '../support/server-process.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'rupa-bench-'))
const server = await startServerProcess({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
const network = await slowNetwork(Number(new URL(server.url).port), {
  bitsPerSecond: 400_000,
  roundTripMilliseconds: 400,
})
const executablePath = findChromium()
const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ['--no-sandbox'] })
try {
  const page = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage()
  const begun = performance.now()
  const since = () => `${((performance.now() - begun) / 1000).toFixed(1)} s`
  await page.goto(network.origin, { waitUntil: 'commit' })
  await page.locator('h1').waitFor()
  console.log(`start page shown after ${since()}`)
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null, undefined, { timeout: 180_000 })
  const { bytes, requests } = network.carried()
  console.log(`ready for offline after ${since()} (aim ≤ 20 s): ${requests} requests, ${(bytes / 1024).toFixed(0)} KB`)
} finally {
  await browser.close()
  await network.close()
  await server.end('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
}
