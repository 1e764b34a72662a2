import { expect, type Page } from '@playwright/test'
import { test } from './support/app.ts'
import { photo } from './support/send-photo.ts'
import { chooseFiles } from './support/tool.ts'

test.use({ serverPreviews: false })

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

/**
 * Notes in the page whether the service worker is registered before the studio shows the photo,
 * which alone holds it back on a connection without delay.
 */
const noteEarlyWorker = () => {
  Object.defineProperty(PerformanceNavigationTiming.prototype, 'requestStart', { value: 0 })
  Object.defineProperty(PerformanceNavigationTiming.prototype, 'responseStart', { value: 0 })
  const { register } = ServiceWorkerContainer.prototype
  ServiceWorkerContainer.prototype.register = function (...given) {
    if (document.getElementById('instant-stage')) document.documentElement.dataset.earlyWorker = ''
    return register.apply(this, given)
  }
}

test('a photo chosen before the app’s code has loaded is kept, at home and in a tool, and its studio loads before the service worker', async ({
  page,
}) => {
  await page.addInitScript(noteEarlyWorker)
  for (const path of ['/', '/ai-background-removal']) {
    const letCodeCome = await holdCode(page)
    await page.goto(path, { waitUntil: 'commit' })
    await chooseFiles(page, photo)
    const instant = page.locator('#instant-stage')
    await expect(instant.locator('img')).toBeInViewport({ ratio: 0.5 })
    expect(await instant.evaluate((stage) => stage.clientHeight === window.innerHeight)).toBe(true)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    const studio = Promise.withResolvers<void>()
    await page.route('**/assets/studio-screens-*.js', async (route) => {
      await studio.promise
      await route.continue()
    })
    const workbox = page.waitForResponse(/workbox-window/)
    letCodeCome()
    await (await workbox).finished()
    await page.evaluate(() => new Promise((idle) => requestIdleCallback(idle)))
    // The page requests all parts of the studio at once, and nothing else, on a slow connection.
    await expect
      .poll(() => asked.filter((url) => /(upload-queue|ui-mask-editor|read-files)-/.test(url)))
      .toHaveLength(3)
    expect(asked.filter((url) => /home-rest-|\.woff2/.test(url))).toEqual([])
    studio.resolve()
    await expect(page.getByRole('button', { name: 'Ganti foto' })).toBeVisible()
    await expect(instant).toHaveCount(0)
    await expect(page.locator('html[data-early-worker]')).toHaveCount(0)
    await expect.poll(() => asked.some((url) => url.endsWith('.woff2'))).toBe(true)
    page.removeAllListeners('request')
    await expect(page).toHaveURL(/ai-background-removal$/)
    await page.unrouteAll({ behavior: 'wait' })
    await page.evaluate(() => sessionStorage.clear())
  }
})

test('the code waits for the pictures that a page shows first, unless the server is far away', async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  const code = () => asked.filter((url) => /assets\/libraries-/.test(url)).length
  const shown = Promise.withResolvers<void>()
  await page.route('**/samples/coffee.avif', async (route) => {
    await shown.promise
    await route.continue()
  })
  await page.goto('/', { waitUntil: 'commit' })
  await page.waitForFunction(() => performance.getEntriesByType('paint').length > 0)
  await page.evaluate(() => new Promise((idle) => requestIdleCallback(idle)))
  expect(code()).toBe(0)
  await page.addInitScript(() => {
    Object.defineProperty(PerformanceEntry.prototype, 'duration', { value: 400 })
  })
  await page.goto('/', { waitUntil: 'commit' })
  await expect.poll(code).toBe(1)
  await page.goto('about:blank')
  shown.resolve()
})

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

test('a photo is kept when every part of the tool fails to load twice although the server responds', async ({
  page,
}) => {
  const losses = { 'read-files': 0, panel: 0, 'mask-editor': 0, 'studio-screens': 0 }
  for (const part of Object.keys(losses) as (keyof typeof losses)[])
    await page.route(new RegExp(`assets/${part}-`), (route) => (losses[part]++ < 2 ? route.abort() : route.continue()))
  // Prefetched code fails while a photo is being chosen.
  const chosen = Promise.withResolvers<void>()
  await page.route('**/healthz', async (route) => {
    await chosen.promise
    await route.continue()
  })
  const asked = page.waitForRequest('**/healthz')
  await page.goto('/ai-object-removal')
  await asked
  await chooseFiles(page, photo)
  chosen.resolve()
  await expect(page.getByRole('group', { name: 'Alat menggambar' })).toBeVisible()
  await expect.poll(() => hasToolStyles(page)).toBe(true)
  await expect(page.getByRole('img', { name: 'Foto yang kamu pilih' })).toBeVisible()
  expect(Math.min(...Object.values(losses))).toBeGreaterThan(2)
})

test('what is chosen just after the connection was lost waits for it', async ({ page, context }) => {
  await test.step('a photo chosen just after the connection was lost waits for it, and so do its editing tools', async () => {
    const lost = /assets\/(read-files|panel|mask-editor)-|healthz/
    await page.route(lost, (route) => route.abort())
    await page.goto('/ai-object-removal')
    await chooseFiles(page, photo)
    await expect(page.getByText('Menunggu koneksi')).toBeVisible()
    await page.unroute(lost)
    await expect(page.getByRole('group', { name: 'Alat menggambar' })).toBeVisible()
    await expect.poll(() => hasToolStyles(page)).toBe(true)
  })
  await test.step('a photo pasted just after the connection was lost waits for it, too', async () => {
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
  await test.step('a photo chosen on the first page just after the connection was lost opens in its tool once it is back', async () => {
    const lost = /assets\/(studio-page|generations-studio)-|healthz/
    await page.route(lost, (route) => route.abort())
    await page.goto('/')
    await chooseFiles(page, photo)
    await expect(page.getByText('Menunggu koneksi')).toBeVisible()
    await page.unroute(lost)
    await expect(page.getByRole('button', { name: 'Ganti foto' })).toBeVisible()
  })
})

test('what is touched before the app’s code has loaded is kept', async ({ page, context }) => {
  await test.step('text and ticks from before the app’s code has loaded stay, and a form submitted then puts nothing into the address', async () => {
    const letCodeCome = await holdCode(page)
    await page.goto('/login', { waitUntil: 'commit' })
    await page.getByLabel('Email').fill('sari@example.com')
    await page.getByLabel('Kata sandi', { exact: true }).fill('rahasia')
    await page.getByLabel('Ingat saya').check()
    await page.getByLabel('Kata sandi', { exact: true }).press('Enter')
    letCodeCome()
    await expect(page.locator('[data-prerendered]')).toHaveCount(0)
    await expect(page.getByLabel('Email')).toHaveValue('sari@example.com')
    await expect(page).toHaveURL(/\/login$/)
    await expect(page.getByLabel('Ingat saya')).toBeChecked()
    // A box ticked afterwards yields true, not a text.
    await page.getByLabel('Ingat saya').uncheck()
    await page.getByLabel('Ingat saya').check()
    const [sent] = await Promise.all([
      page.waitForRequest('**/api/login'),
      page.getByRole('button', { name: 'Masuk', exact: true }).click(),
    ])
    expect(sent.postDataJSON()).toMatchObject({ email: 'sari@example.com', remember: true })
  })
  await test.step('an example tapped before the app’s code has loaded is on the stage at once, and opens', async () => {
    const letCodeCome = await holdCode(page)
    await page.goto('/ai-background-removal', { waitUntil: 'commit' })
    await page.getByRole('button', { name: 'Contoh: kucing' }).tap()
    const instant = page.locator('#instant-stage')
    await expect(instant.locator('img')).toBeInViewport({ ratio: 0.5 })
    letCodeCome()
    await expect(page.locator('.studio-layout')).toBeVisible()
    await expect(instant).toHaveCount(0)
  })
  await test.step('so is a photo pasted then', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.evaluate(async () => {
      const canvas = new OffscreenCanvas(640, 480)
      canvas.getContext('2d')?.fillRect(160, 120, 320, 240)
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': canvas.convertToBlob() })])
    })
    const letCodeCome = await holdCode(page)
    await page.goto('/ai-background-removal', { waitUntil: 'commit' })
    await page.getByRole('button', { name: 'Tempel foto' }).tap()
    await expect(page.locator('#instant-stage img')).toBeInViewport({ ratio: 0.5 })
    letCodeCome()
    await expect(page.getByRole('button', { name: 'Ganti foto' })).toBeVisible()
    await expect(page.locator('#instant-stage')).toHaveCount(0)
  })
  await test.step('a comparison, an example and the tools react before the app’s code has loaded, and stay as they are', async () => {
    const letCodeCome = await holdCode(page)
    await page.goto('/', { waitUntil: 'commit' })
    const compare = page.locator('.hero-compare:visible')
    const box = (await compare.boundingBox())!
    const share = async () => {
      const { x, width } = (await compare.locator('.compare-knob').boundingBox())!
      return Math.round((100 * (x + width / 2 - box.x)) / box.width)
    }
    await page.getByText('Pasfoto', { exact: true }).first().tap()
    await page.touchscreen.tap(box.x + 0.8 * box.width, box.y + 0.6 * box.height)
    await expect.poll(share).toBe(80)
    const menu = page.getByRole('button', { name: 'Alat' })
    const tools = page.getByRole('dialog', { name: 'Alat' })
    await menu.tap()
    await expect(tools.getByRole('link', { name: 'Pasfoto' })).toBeVisible()
    await tools.getByRole('button', { name: 'Tutup' }).tap()
    await menu.tap()
    letCodeCome()
    await expect(page.locator('[data-prerendered]')).toHaveCount(0)
    await expect(tools.getByRole('link', { name: 'Pasfoto' })).toBeVisible()
    await expect(page.getByRole('radio', { name: 'Pasfoto', includeHidden: true })).toBeChecked()
    await expect(compare.getByRole('slider', { includeHidden: true })).toHaveValue('80')
    expect(await share()).toBe(80)
  })
  await test.step('a button pressed before the app’s code has loaded shows it at once, and takes effect', async () => {
    const letCodeCome = await holdCode(page)
    await page.goto('/register', { waitUntil: 'commit' })
    await page.getByRole('button', { name: 'Daftar', exact: true }).tap()
    // The touch is answered at once.
    await expect(page.locator('button[aria-busy="true"]')).toHaveCSS('opacity', '0.6')
    letCodeCome()
    await expect(page.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true')
    await expect(page.locator('button[aria-busy="true"]')).toHaveCount(0)
  })
  await test.step('the other language is another page, also before the app’s code has loaded', async () => {
    await holdCode(page)
    await page.goto('/', { waitUntil: 'commit' })
    await page.getByRole('link', { name: /ganti bahasa/ }).tap()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/One tap/)
    expect(await page.evaluate(() => localStorage.getItem('language'))).toBe('en')
  })
})
