import { expect, type Page } from '@playwright/test'
import { test } from './support/app.ts'
import { photo } from './support/send-photo.ts'
import { chooseFiles } from './support/tool.ts'

/** Delays the app's code; returns a function that releases it. */
async function holdCode(page: Page): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/assets/*.js', async (route) => {
    await released
    await route.continue()
  })
  return release
}

function errorsOf(page: Page): string[] {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  return errors
}

for (const path of ['/', '/ai-background-removal']) {
  test(`a photo chosen on ${path} before the app’s code has loaded is kept`, async ({ page }) => {
    const letCodeCome = await holdCode(page)
    await page.goto(path, { waitUntil: 'commit' })
    await chooseFiles(page, photo)
    letCodeCome()
    await expect(page.getByRole('button', { name: 'Ganti foto' })).toBeVisible()
    await expect(page).toHaveURL(/ai-background-removal$/)
  })
}

/** The browser also lists style sheets that failed. */
const hasToolStyles = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLLinkElement>('link[href*="mask-editor-"]')].some(({ sheet }) => {
      try {
        return sheet !== null && sheet.cssRules.length > 0
      } catch {
        return false
      }
    }),
  )

test('a photo chosen just after the connection was lost waits for it, and so do its editing tools', async ({
  page,
}) => {
  const lost = /assets\/(read-files|stage|mask-editor)-|healthz/
  await page.route(lost, (route) => route.abort())
  await page.goto('/ai-object-removal')
  await chooseFiles(page, photo)
  await expect(page.getByText('Menunggu koneksi')).toBeVisible()
  await page.unroute(lost)
  await expect(page.getByRole('group', { name: 'Alat menggambar' })).toBeVisible()
  await expect.poll(() => hasToolStyles(page)).toBe(true)
})

for (const part of ['read-files', 'stage', 'mask-editor', 'studio-screens'] as const) {
  test(`a photo is kept when ${part} fails to load although the server responds`, async ({ page }) => {
    const lost = new RegExp(`assets/${part}-`)
    await page.route(lost, (route) => route.abort())
    // Prefetched code fails while a photo is being chosen.
    let answer = () => {}
    const chosen = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/healthz', async (route) => {
      await chosen
      await route.continue()
    })
    const asked = page.waitForRequest('**/healthz')
    await page.goto('/ai-object-removal')
    await asked
    await chooseFiles(page, photo)
    answer()
    // The loss lasts for two attempts.
    await page.waitForTimeout(1500)
    await page.unroute(lost)
    await expect(page.getByRole('group', { name: 'Alat menggambar' })).toBeVisible({ timeout: 20_000 })
    await expect.poll(() => hasToolStyles(page)).toBe(true)
    await expect(page.getByRole('img', { name: 'Foto yang kamu pilih' })).toBeVisible()
  })
}

test('a photo pasted just after the connection was lost waits for it, too', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const lost = /assets\/read-files-|healthz/
  await page.route(lost, (route) => route.abort())
  await page.goto('/ai-background-removal')
  await expect(page.locator('[data-prerendered]')).toHaveCount(0)
  await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(640, 480)
    canvas.getContext('2d')?.fillRect(160, 120, 320, 240)
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': canvas.convertToBlob() })])
  })
  await page.getByRole('button', { name: 'Tempel foto' }).tap()
  await expect(page.getByText('Menunggu koneksi')).toBeVisible()
  await page.unroute(lost)
  await expect(page.getByRole('button', { name: 'Ganti foto' })).toBeVisible()
})

test('a photo chosen on the first page just after the connection was lost opens in its tool once it is back', async ({
  page,
}) => {
  const lost = /assets\/(studio-page|generations-studio)-|healthz/
  await page.route(lost, (route) => route.abort())
  await page.goto('/')
  await chooseFiles(page, photo)
  await expect(page.getByText('Menunggu koneksi')).toBeVisible()
  await page.unroute(lost)
  await expect(page.getByRole('button', { name: 'Ganti foto' })).toBeVisible()
})

test('a button pressed before the app’s code has loaded takes effect afterwards', async ({ page }) => {
  const letCodeCome = await holdCode(page)
  await page.goto('/', { waitUntil: 'commit' })
  await page.getByRole('button', { name: /ganti bahasa/ }).tap()
  letCodeCome()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
})

test('text typed before the app’s code has loaded stays, and a form submitted then puts nothing into the address', async ({
  page,
}) => {
  const letCodeCome = await holdCode(page)
  await page.goto('/login', { waitUntil: 'commit' })
  await page.getByLabel('Email').fill('sari@example.com')
  await page.getByLabel('Kata sandi', { exact: true }).fill('rahasia')
  await page.getByLabel('Kata sandi', { exact: true }).press('Enter')
  letCodeCome()
  await expect(page.locator('[data-prerendered]')).toHaveCount(0)
  await expect(page.getByLabel('Email')).toHaveValue('sari@example.com')
  await expect(page).toHaveURL(/\/login$/)
  // A box ticked afterwards yields true, not a text.
  await page.getByLabel('Ingat saya').check()
  const [sent] = await Promise.all([
    page.waitForRequest('**/api/login'),
    page.getByRole('button', { name: 'Masuk', exact: true }).click(),
  ])
  expect(sent.postDataJSON()).toMatchObject({ email: 'sari@example.com', remember: true })
})

test('a box ticked before the app’s code has loaded stays ticked, and is submitted', async ({ page }) => {
  const letCodeCome = await holdCode(page)
  await page.goto('/login', { waitUntil: 'commit' })
  await page.getByLabel('Ingat saya').check()
  letCodeCome()
  await expect(page.locator('[data-prerendered]')).toHaveCount(0)
  await expect(page.getByLabel('Ingat saya')).toBeChecked()
  await page.getByLabel('Email').fill('sari@example.com')
  await page.getByLabel('Kata sandi', { exact: true }).fill('rahasia')
  const [sent] = await Promise.all([
    page.waitForRequest('**/api/login'),
    page.getByRole('button', { name: 'Masuk', exact: true }).click(),
  ])
  expect(sent.postDataJSON()).toMatchObject({ remember: true })
})

for (const path of ['/', '/pricing', '/how-to-use', '/login', '/register', '/forgot-password', '/ai-cartoonizer']) {
  test(`${path} is prerendered as the app renders it, with a title`, async ({ page, request }) => {
    const errors = errorsOf(page)
    await page.goto(path)
    await page.waitForLoadState('networkidle')
    expect(errors).toEqual([])
    const source = await (await request.get(path)).text()
    const [, title] = /<title>([^<]+)<\/title>/.exec(source) ?? []
    expect(await page.title()).toBe(title)
    expect(source).toMatch(/<meta name="description" content="[^"]{40,200}"/)
  })
}
