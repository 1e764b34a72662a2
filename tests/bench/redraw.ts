// Measures how soon a guest's preview follows its options: from the tap to the painted picture.
import { join } from 'node:path'
import { chromium, devices, type Page } from '@playwright/test'
import { realServer } from '../../e2e/support/server.ts'
import { findChromium } from '../../src/scripts/browser.mjs'

const rounds = 5
/** Milliseconds. */
const limit = 300
/** Milliseconds within which every change is drawn. */
const settling = 1500
const photos = join(import.meta.dirname, '..', 'fixtures', 'photos')

interface Watched {
  tapped: number
  painted: number
}

/** A picture counts as painted in the frame after its decoding. */
function watch(): void {
  const watched: Watched = { tapped: 0, painted: 0 }
  Object.assign(window, { watched })
  addEventListener('click', ({ timeStamp }) => Object.assign(watched, { tapped: timeStamp, painted: 0 }), true)
  const stateOf = () => {
    const viewer = document.querySelector('.viewer')
    const pictures = [...(viewer?.querySelectorAll<HTMLImageElement>('img') ?? [])]
    if (!viewer || pictures.some(({ complete }) => !complete)) return undefined
    return viewer.innerHTML
  }
  let before: string | undefined
  const look = (now: number) => {
    const state = stateOf()
    if (state !== undefined && state !== before) {
      if (before !== undefined && watched.tapped > 0) watched.painted = now
      before = state
    }
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

/** Processor milliseconds of all processes of the browser during some work. */
async function processorTimeWithin(page: Page, work: () => Promise<void>): Promise<number> {
  const before = await processorTime(page)
  await work()
  return (await processorTime(page)) - before
}

async function processorTime(page: Page): Promise<number> {
  const tools = await page.context().browser()!.newBrowserCDPSession()
  const { processInfo } = await tools.send('SystemInfo.getProcessInfo')
  await tools.detach()
  return processInfo.reduce((sum, { cpuTime }) => sum + 1000 * cpuTime, 0)
}

const server = await realServer()
await server.start()
const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox', '--disable-gpu'] })

const changes: { name: string; tab: string; tap: (round: number) => string }[] = [
  { name: 'background', tab: 'Latar', tap: (round) => (round % 2 === 0 ? 'Putih' : 'Biru') },
  { name: 'crop', tab: 'Bingkai', tap: () => 'Potong pas ke subjek' },
  { name: 'shadow', tab: 'Bingkai', tap: () => 'Bayangan lembut' },
]

try {
  for (const name of ['grace_hopper.jpg', 'coffee.jpg']) {
    // A visit of its own, because the studio keeps the photo before.
    const context = await browser.newContext({ ...devices['Pixel 7'], locale: 'id-ID' })
    const page = await context.newPage()
    await page.addInitScript(watch)
    await page.goto(`${server.origin}/ai-background-removal`)
    await page.locator('input[type="file"]:not([capture])').first().setInputFiles(join(photos, name))
    await page.getByRole('button', { name: 'Ubah pilihannya' }).click({ timeout: 120_000 })
    console.log(name)
    for (const { name, tab, tap } of changes) {
      await page.getByRole('button', { name: tab, exact: true }).click()
      const times: number[] = []
      let [used, idle] = [0, 0]
      for (let round = 0; round <= rounds; round++) {
        const spent = await processorTimeWithin(page, async () => {
          await page.getByText(tap(round), { exact: true }).click()
          // The last change counts: the device may draw after the page has composed.
          await page.waitForTimeout(settling)
        })
        const { tapped, painted } = await page.evaluate(() => (window as unknown as { watched: Watched }).watched)
        // The first round loads and warms the engine.
        if (round === 0) {
          idle = await processorTimeWithin(page, () => page.waitForTimeout(settling))
          continue
        }
        times.push(painted - tapped)
        used += (spent - idle) / rounds
      }
      times.sort((a, b) => a - b)
      const [median = 0, worst = 0] = [times[Math.floor(times.length / 2)], times.at(-1)]
      const ratio = `${(median / limit).toFixed(2)} of the limit of ${limit} ms`
      console.log(
        `  ${name.padEnd(11)} ${median.toFixed(0)} ms, at worst ${worst.toFixed(0)} (${ratio}), ${used.toFixed(0)} ms of the processor`,
      )
    }
  }
} finally {
  await browser.close()
  await server.dispose()
}
