// `npm run screenshots`: draws the README's picture strip from the real app with demo data.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, devices, type Page } from '@playwright/test'
import sharp from 'sharp'
import { consentVersions } from '#shared/consent.ts'
import { api, createAccount, signInByApi } from '../../e2e/support/account.ts'
import { generate } from '../../e2e/support/generate.ts'
import { freePort, startServerProcess } from '../../tests/support/server-process.ts'
import { findChromium } from './browser.mjs'
import { root } from './run.mjs'

const target = join(root, 'docs', 'images', 'screens.webp')
const gap = 24
const height = 620
const maxBytes = 300_000
const staff = { email: 'admin@rupa.test', password: 'Tangkapan-1!' }
const photo = (name: string) => readFileSync(join(root, 'tests', 'fixtures', 'photos', name))

const dataDir = mkdtempSync(join(tmpdir(), 'rupa-screenshots-'))
const port = String(await freePort())
const origin = `http://127.0.0.1:${port}`
const env = {
  DATA_DIR: dataDir,
  ADMIN_EMAIL: staff.email,
  ADMIN_PASSWORD: staff.password,
  STAFF_SECOND_FACTOR: 'optional',
}
execFileSync(process.execPath, ['src/scripts/demo/seed.ts'], { cwd: root, env: { ...process.env, ...env } })
const server = await startServerProcess({ ...env, PORT: port, PUBLIC_URL: origin })
const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox', '--disable-gpu'] })
try {
  const strip = await capture(browser)
  mkdirSync(join(root, 'docs', 'images'), { recursive: true })
  const bytes = await compose(strip)
  writeFileSync(target, bytes)
  process.stdout.write(`${target}: ${bytes.length} bytes\n`)
} finally {
  await browser.close()
  await server.end()
  rmSync(dataDir, { recursive: true, force: true })
}

async function capture(browser: Browser): Promise<Buffer[]> {
  const running = { origin, dataDir, port: Number(port) }
  const { email } = await createAccount(running, 'Sari')
  const token = await signInByApi(running, email)
  const consent = { kind: 'biometric', version: consentVersions.biometric }
  await api(running, '/api/user/consents', { token, json: consent })
  const made = [
    await finished(token, await generate(running, token, photo('grace_hopper.jpg'), { tool: 'passport-photo' })),
    await finished(token, await generate(running, token, photo('coffee.jpg'))),
    await finished(token, await generate(running, token, photo('chelsea.jpg'))),
  ]
  const phone = await browser.newContext({
    ...devices['Pixel 7'],
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    locale: 'id-ID',
    reducedMotion: 'reduce',
  })
  const page = await phone.newPage()
  await page.goto(origin)
  const home = await shot(page)
  await page.evaluate((held) => localStorage.setItem('authToken', held), token)
  await page.goto(`${origin}/passport-photo?result=${made[0]}`)
  const passport = await shot(page)
  await page.goto(`${origin}/ai-background-removal?result=${made[1]}`)
  const cutOut = await shot(page)
  await page.goto(`${origin}/history`)
  await shot(page)
  await page.evaluate(() => navigator.serviceWorker.ready)
  await phone.setOffline(true)
  await page.reload()
  const history = await shot(page)
  const desk = await browser.newContext({
    viewport: { width: 1280, height: 844 },
    deviceScaleFactor: 2,
    locale: 'id-ID',
  })
  const admin = await desk.newPage()
  const { access_token } = await api<{ access_token: string }>(running, '/api/login', {
    json: { ...staff, remember: true },
  })
  await admin.addInitScript((held) => localStorage.setItem('authToken', held), access_token)
  await admin.goto(`${origin}/admin/dashboard`)
  return [home, cutOut, passport, history, await shot(admin)]
}

async function shot(page: Page): Promise<Buffer> {
  await page.waitForLoadState('networkidle').catch(() => undefined)
  await page.waitForTimeout(1500)
  return page.screenshot()
}

async function finished(token: string, { id }: { id: string }): Promise<string> {
  for (;;) {
    const { status } = await api<{ status: string }>({ origin }, `/api/generations/${id}`, { token })
    if (status === 'succeeded') return id
    if (['failed', 'cancelled'].includes(status)) throw new Error(`generation ${id}: ${status}`)
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
}

/** As sharp as the size limit permits. */
async function compose(shots: Buffer[]): Promise<Buffer> {
  const pictures = await Promise.all(
    shots.map(async (bytes) => {
      const { data, info } = await sharp(bytes).resize({ height }).png().toBuffer({ resolveWithObject: true })
      const rounded = Buffer.from(
        `<svg width="${info.width}" height="${height}"><rect width="100%" height="100%" rx="18"/></svg>`,
      )
      return {
        data: await sharp(data)
          .composite([{ input: rounded, blend: 'dest-in' }])
          .png()
          .toBuffer(),
        width: info.width,
      }
    }),
  )
  let left = gap
  const layers = pictures.map(({ data, width }) => {
    const layer = { input: data, left, top: gap }
    left += width + gap
    return layer
  })
  const background = { width: left, height: height + 2 * gap, channels: 3 as const, background: '#e9e4dc' }
  const sheet = await sharp({ create: background }).composite(layers).png().toBuffer()
  for (let quality = 88; quality > 40; quality -= 6) {
    const bytes = await sharp(sheet).webp({ quality, effort: 6 }).toBuffer()
    if (bytes.length <= maxBytes) return bytes
  }
  throw new Error('The strip does not fit into its size limit.')
}
