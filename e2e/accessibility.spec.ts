import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import type { GenerationView } from '#features/generations/schemas.ts'
import { api, createAccount, navigateInApp, signInByApi } from './support/account.ts'
import { test } from './support/app.ts'
import { chooseAppearance } from './support/appearance.ts'
import { complaintsOf } from './support/complaints.ts'
import { generate } from './support/generate.ts'
import { elementsBeyondScreen } from './support/layout.ts'
import { placeOrder } from './support/staff.ts'
import { atRest, violations } from './support/violations.ts'

const portrait = join(import.meta.dirname, 'fixtures', 'portrait.jpg')
const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } }

const lastPart: Record<string, string> = { '/': 'footer, #tools' }

interface Seed {
  token: string
  generation: string
  order: string
  shared: string
}
let seed: Seed

test.beforeAll(async ({ server }) => {
  const { email } = await createAccount(server, 'Sari')
  const token = await signInByApi(server, email)
  const generation = await generate(server, token, readFileSync(portrait))
  const order = await placeOrder(server, token)
  const isDone = async () => (await api<GenerationView>(server, `/api/generations/${generation.id}`, { token })).status
  await expect.poll(isDone).toBe('succeeded')
  const { path } = await api<{ path: string }>(server, '/api/user/shared_results', {
    token,
    json: { generationId: generation.id, position: 0, days: 1, withOriginal: true, password: null },
  })
  seed = { token, generation: generation.id, order, shared: path }
})

function addressOf(path: string): string {
  return path.startsWith('/shared/') ? seed.shared : path
}

async function settled(page: Page): Promise<void> {
  await page.waitForFunction(
    () => document.querySelector('h1')?.checkVisibility() && !document.querySelector('main .skeleton'),
  )
  await atRest(page)
}

/** A page that was just narrowed may need more frames to settle. */
async function lasting(page: Page, check: (page: Page) => Promise<string[]>): Promise<string[]> {
  await settled(page)
  let found = await check(page)
  for (let frames = 0; found.length > 0 && frames < 30; frames++) {
    await page.evaluate(() => new Promise((painted) => requestAnimationFrame(painted)))
    found = await check(page)
  }
  return found
}

const setTheme = (page: Page, theme: 'light' | 'dark') =>
  page.evaluate((chosen) => {
    document.documentElement.dataset.theme = chosen
  }, theme)

const setText = (page: Page, percent: number) =>
  page.evaluate((size) => {
    document.documentElement.style.fontSize = `${size}%`
  }, percent)

const smallTargets = (page: Page) =>
  page.locator('main :is(button, summary, a.btn, label:has(input[type=radio]))').evaluateAll((elements) =>
    elements.flatMap((element) => {
      const { height } = element.getBoundingClientRect()
      return height > 0 && height < 43.5 ? [`${element.textContent}: ${height} pixels high`] : []
    }),
  )

const looks = [
  ['phone', 'light'],
  ['desktop', 'dark'],
  ['desktop', 'light'],
  ['phone', 'dark'],
] as const

/**
 * On phones also overflow of a normal, a smaller and a 200 % text layout, and small targets. The
 * page keeps the last look's size.
 */
async function faultsOf(page: Page): Promise<string[]> {
  const faults: string[] = []
  const note = (where: string, found: string[]) => faults.push(...found.map((fault) => `${where}: ${fault}`))
  for (const [size, theme] of looks) {
    await page.setViewportSize(sizes[size])
    await setTheme(page, theme)
    await settled(page)
    note(`${size}, ${theme}`, await violations(page))
    if (size !== 'phone') continue
    note('390 pixels', await lasting(page, elementsBeyondScreen))
    note('targets', await lasting(page, smallTargets))
    await setText(page, 200)
    note('text twice as large', await lasting(page, elementsBeyondScreen))
    await setText(page, 100)
    await page.setViewportSize({ width: 320, height: 720 })
    note('320 pixels', await lasting(page, elementsBeyondScreen))
    await page.setViewportSize(sizes.phone)
  }
  return faults
}

async function walk(page: Page, paths: readonly string[]): Promise<void> {
  const complaints = complaintsOf(page)
  await page.goto('/pricing')
  for (const path of paths) {
    await navigateInApp(page, addressOf(path))
    if (lastPart[path]) await page.locator(lastPart[path]).first().waitFor()
    expect.soft(await faultsOf(page), path).toEqual([])
  }
  expect(complaints).toEqual([])
}

async function enter(page: Page, token: string): Promise<void> {
  await page.addInitScript((held) => localStorage.setItem('authToken', held), token)
}

for (const [language, device] of [
  ['id', { isMobile: true, hasTouch: true }],
  ['en', { isMobile: false, hasTouch: false }],
] as const) {
  test.describe(`in ${language}, both sizes and both themes, nothing is inaccessible or too wide`, () => {
    test.use(device)
    test.beforeEach(({ page }) => chooseAppearance(page, { theme: 'light', language }))

    test('on the pages of members and a shared result', { tag: '@soak' }, async ({ page }) => {
      await enter(page, seed.token)
      const result = [`/history?id=${seed.generation}`, `/payment-success?order=${seed.order}`]
      const others = ['/billing', '/profile', '/history', '/checkout', '/customize-edit']
      const ofOrder = ['/checkout', '/payment-failed'].map((path) => `${path}?order=${seed.order}`)
      await walk(page, ['/', '/shared/:token', ...result, ...others, ...ofOrder])
    })
  })
}
