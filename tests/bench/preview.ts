import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { chromium, devices, type Page } from '@playwright/test'
import sharp from 'sharp'
import { createAccount, signInByApi } from '../../e2e/support/account.ts'
import { realServer } from '../../e2e/support/server.ts'
import { findChromium } from '../../src/scripts/browser.mjs'

const rounds = 3
/** Milliseconds in the gallery while the studio is open. */
const looking = 3000
const photos = join(import.meta.dirname, '..', 'fixtures', 'photos')
const portraits = {
  '0.3 MP': await sharp(join(photos, 'grace_hopper.jpg')).jpeg({ quality: 92 }).toBuffer(),
  '12 MP': await sharp(join(photos, 'grace_hopper.jpg')).resize(3000, 4000, { fit: 'cover' }).jpeg().toBuffer(),
}

function descendants(root: number): number[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=']).toString().trim().split('\n')
  const parents = new Map(lines.map((line) => line.trim().split(/\s+/).map(Number) as [number, number]))
  const under = (pid: number): boolean => pid === root || (parents.has(pid) && under(parents.get(pid) as number))
  return [...parents.keys()].filter((pid) => pid !== process.pid && under(pid))
}

function slowDown(pids: readonly number[]): () => void {
  const all = (signal: NodeJS.Signals) => {
    for (const pid of pids) {
      try {
        process.kill(pid, signal)
      } catch {
        // The process has already ended.
      }
    }
  }
  const stopping = setInterval(() => {
    all('SIGSTOP')
    setTimeout(() => all('SIGCONT'), 15)
  }, 20)
  return () => {
    clearInterval(stopping)
    setTimeout(() => all('SIGCONT'), 20)
  }
}

function watch(): void {
  const times = { measured: false, chosen: 0, started: false, shown: 0 }
  Object.assign(window, { times })
  addEventListener('change', () => (times.chosen = performance.now()), true)
  const look = () => {
    const button = [...document.querySelectorAll('.studio-action button')].find((it) =>
      it.textContent?.includes('5 kredit'),
    )
    if (
      times.measured &&
      times.chosen > 0 &&
      !times.started &&
      button instanceof HTMLButtonElement &&
      !button.disabled
    ) {
      times.started = true
      button.click()
    }
    const picture = document.querySelector<HTMLImageElement>('.device-preview img')
    if (picture?.complete && picture.naturalWidth > 0) times.shown ||= performance.now()
    requestAnimationFrame(look)
  }
  look()
}

type Restore = () => void | Promise<void>

async function throttle(page: Page): Promise<Restore> {
  const tools = await page.context().newCDPSession(page)
  await tools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  return () => tools.detach()
}

const speeds: readonly { name: string; limited?: boolean; slow(page: Page): Restore | Promise<Restore> }[] = [
  { name: 'as it is', slow: () => () => {} },
  { name: 'CPU throttling 4 ×', limited: true, slow: throttle },
  { name: 'all processes 4 ×', slow: () => slowDown(descendants(browserPid)) },
]

async function timeOf(
  page: Page,
  address: string,
  picture: Buffer,
  { slow }: (typeof speeds)[number],
): Promise<number> {
  await page.goto(address)
  await page.locator('input[type="file"]:not([capture])').first().waitFor({ state: 'attached' })
  const restore = await slow(page)
  const opened = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Pilih foto' }).tap()
  const chooser = await opened
  await page.evaluate(() => Object.assign((window as unknown as { times: object }).times, { measured: true }))
  await new Promise((resolve) => setTimeout(resolve, looking))
  await chooser.setFiles({ name: 'potret.jpg', mimeType: 'image/jpeg', buffer: picture })
  const milliseconds = await page.evaluate(async () => {
    const { times } = window as unknown as { times: { chosen: number; shown: number } }
    while (times.shown === 0) await new Promise((resolve) => setTimeout(resolve, 20))
    return times.shown - times.chosen
  })
  await restore()
  await new Promise((resolve) => setTimeout(resolve, 100))
  await page.getByRole('button', { name: 'Batalkan' }).tap()
  await page.getByRole('button', { name: 'Ganti foto' }).tap()
  return milliseconds
}

const server = await realServer()
await server.start()
const { email } = await createAccount(server, 'Ratna')
const token = await signInByApi(server, email)
const browserServer = await chromium.launchServer({
  executablePath: findChromium(),
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
})
const browserPid = browserServer.process().pid as number
const browser = await chromium.connect(browserServer.wsEndpoint())
const context = await browser.newContext({
  ...devices['Pixel 5'],
  viewport: { width: 390, height: 844 },
  locale: 'id-ID',
})
const page = await context.newPage()
await page.addInitScript((held) => localStorage.setItem('authToken', held), token)
await page.addInitScript(watch)
const address = `${server.origin}/ai-background-removal`
await page.goto(address)
await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
await page.locator('input[type="file"]:not([capture])').first().setInputFiles(join(photos, 'grace_hopper.jpg'))
const kept = () => page.evaluate(async () => (await (await caches.open('rupa-engine')).keys()).length)
while ((await kept()) < 4) await new Promise((resolve) => setTimeout(resolve, 100))
await page.getByRole('button', { name: 'Ganti foto' }).tap()
await server.stop()

console.log('from choosing a portrait, after 3 s in the gallery, to its preview on the device, the server gone')
for (const [name, picture] of Object.entries(portraits)) {
  for (const speed of speeds) {
    const times: number[] = []
    for (let round = 0; round < rounds; round++) times.push(await timeOf(page, address, picture, speed))
    const shown = times.sort((a, b) => a - b).map((time) => time.toFixed(0))
    const limit = speed.limited ? '  (limit 3000 ms)' : ''
    console.log(`${name.padEnd(8)}${speed.name.padEnd(20)}${shown.join(', ')} ms${limit}`)
  }
}
await browser.close()
await browserServer.close()
await server.dispose()
