import { join } from 'node:path'
import { expect } from '@playwright/test'
import { toolContracts } from '#tools/contracts.ts'
import { navigateInApp } from './support/account.ts'
import { test } from './support/app.ts'
import { expectSentAsRendered, headingSeen } from './support/first-screens.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' }, serverPreviews: false })

const photo = join(import.meta.dirname, '..', 'src', 'features', 'generations', 'app', 'samples', 'coffee.webp')

test('the home page compares by tap, leads to tools through the dock, and accepts a picture', async ({ page }) => {
  await page.goto('/')
  await test.step('tap targets are at least 44 pixels high and wide', async () => {
    const small = await page
      .locator('.dock a, .dock button, .app-header a, .app-header button, main button, main summary, footer a')
      .evaluateAll((elements) =>
        elements.flatMap((element) => {
          const { width, height } = element.getBoundingClientRect()
          return width > 0 && (height < 44 || width < 44) ? [`${element.textContent}: ${width}×${height}`] : []
        }),
      )
    expect(small).toEqual([])
  })
  await test.step('the before/after line follows keys and finger', async () => {
    const line = page.getByRole('slider')
    await line.focus()
    await page.keyboard.press('Home')
    await expect(line).toHaveValue('0')
    await page.keyboard.press('ArrowRight')
    await expect(line).toHaveValue('1')
    await page.keyboard.press('End')
    await expect(line).toHaveValue('100')
    const box = await page.locator('.compare:visible').boundingBox()
    if (!box) throw new Error('there is no picture')
    await page.touchscreen.tap(box.x + box.width * 0.25, box.y + box.height * 0.5)
    await expect(line).toHaveValue('25')
  })
  await test.step('the dock opens the tools in a sheet, and leads to each screen', async () => {
    await page.getByRole('button', { name: 'Alat' }).tap()
    const sheet = page.getByRole('dialog', { name: 'Alat' })
    await expect(sheet).toBeVisible()
    // Without a provider there is no instant edit.
    for (const { id, route } of Object.values(toolContracts))
      if (id !== 'instant-edit') await expect(sheet.locator(`a[href="${route}"]`)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
    await page.getByRole('button', { name: 'Alat' }).tap()
    await sheet.getByRole('button', { name: 'Tutup' }).tap()
    await expect(page.getByRole('dialog')).toBeHidden()
    await page.getByRole('button', { name: 'Alat' }).tap()
    await page
      .getByRole('dialog')
      .getByRole('link', { name: /Hapus Latar Pisahkan/ })
      .tap()
    await expect(page).toHaveURL(/\/ai-background-removal$/)
    await expect(page.getByRole('dialog')).toBeHidden()
  })
  await test.step('a picture chosen on the home page is in the tool', async () => {
    await page.goBack()
    await expect(page).toHaveURL(/:\d+\/$/)
    await page.locator(':not([inert] *)[type="file"]').first().setInputFiles(photo)
    await expect(page).toHaveURL(/\/ai-background-removal$/)
    await expect(page.getByRole('button', { name: 'Ganti foto' })).toBeVisible()
  })
})

test('going back finds a page where it was left, and a new page starts at its top', async ({ page }) => {
  await page.goto('/how-to-use')
  const link = page.getByRole('link', { name: 'Coba hapus latar' })
  await link.scrollIntoViewIfNeeded()
  const left = await page.evaluate(() => scrollY)
  expect(left).toBeGreaterThan(300)
  await link.tap()
  await expect(page).toHaveURL(/ai-background-removal/)
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
  await page.goBack()
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(left)
})

test('a first screen whose app fails to load retries', async ({ page }) => {
  let loads = 0
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads++
  })
  await page.route('**/assets/*.js', (route) => (loads > 1 ? route.continue() : route.abort()))
  await page.goto('/pricing', { waitUntil: 'commit' })
  // Skips the seconds that do not count as loading time.
  await expect.poll(() => loads).toBe(2)
  // Other tests on this server change prices.
  await expect(page.getByText(/^Rp\s\d/).first()).toBeVisible()
})

test('a page that cannot be loaded without a connection shows that, and loads with it', async ({ page, context }) => {
  await page.goto('/')
  const asked = Promise.withResolvers<void>()
  await page.route('**/assets/legal-page-*.js', async (route) => {
    await asked.promise
    await route.abort()
  })
  await navigateInApp(page, '/privacy-policy')
  await expect(page.locator('main .skeleton').last()).toBeInViewport()
  await context.setOffline(true)
  asked.resolve()
  await expect(page.getByText('Kamu sedang offline dan halaman ini belum tersimpan di perangkat.')).toBeVisible()
  await page.unroute('**/assets/legal-page-*.js')
  await context.setOffline(false)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/privasi/i)
})

test('a link in English opens in English, and the next page too', async ({ page }) => {
  await page.goto('/how-to-use?lang=en')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('How to use')
  await page.goto('/pricing')
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pricing')
})

test('every page in the sitemap has a title, description and picture without scripts, in both languages', async ({
  request,
  server,
}) => {
  const map = await (await request.get('/sitemap.xml')).text()
  expect(await (await request.get('/robots.txt')).text()).toMatch(/^Sitemap: http.*\/sitemap.xml$/m)
  // Rules of https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd, with the namespace of
  // languages.
  const [declaration, urlset, ...lines] = map.trimEnd().split('\n')
  expect(declaration).toBe('<?xml version="1.0" encoding="UTF-8"?>')
  expect(urlset).toBe(
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
  )
  expect(lines.pop()).toBe('</urlset>')
  const entry =
    /^<url><loc>([^<>"&]+)<\/loc>((?:<xhtml:link rel="alternate" hreflang="[\w-]+" href="[^<>"&]+"\/>)*)<\/url>$/
  const listed = new Map(lines.map((line) => entry.exec(line)?.slice(1) as [string, string]))
  const addresses = [...listed.keys()]
  expect(addresses.length).toBe(lines.length)
  expect(addresses.length).toBeGreaterThanOrEqual(2 * 18)
  const titles = new Set<string>()
  const pictures = new Set<string>()
  for (const address of addresses) {
    const headers = { 'user-agent': 'WhatsApp/2.24.1 A' }
    const document = await (await request.get(address, { headers })).text()
    const read = (pattern: RegExp) => pattern.exec(document)?.[1] ?? ''
    expect(read(/<link rel="canonical" href="(.*?)"/)).toBe(address)
    expect(read(/<html lang="(..)"/)).toBe(address.endsWith('?lang=en') ? 'en' : 'id')
    expect(read(/<meta property="og:description" content="(.*?)"/).length, address).toBeGreaterThan(30)
    const versions = [...document.matchAll(/hreflang="(.*?)" href="(.*?)"/g)]
    expect(versions.map(([, language]) => language)).toEqual(['id', 'en', 'x-default'])
    // Every version lists the same alternates.
    for (const [, , version = ''] of versions) expect(listed.get(version)).toBe(listed.get(address))
    for (const [link] of versions) expect(listed.get(address)).toContain(link)
    expect(new URL(address).origin).toBe(server.origin)
    for (const [, fact = ''] of document.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g))
      expect(JSON.parse(fact)).toMatchObject({ '@context': 'https://schema.org', url: address })
    titles.add(`${read(/<html lang="(..)"/)} ${read(/<title>(.*?)<\/title>/)}`)
    pictures.add(read(/<meta property="og:image" content="(.*?)"/))
  }
  expect([titles.size, pictures.size]).toEqual([addresses.length, addresses.length])
  for (const picture of pictures) expect((await request.get(picture)).headers()['content-type']).toBe('image/jpeg')
})

test('what the device remembers is there before the app is', async ({ page }) => {
  await page.addInitScript(() => {
    localStorage.setItem('language', 'en')
    localStorage.setItem('themeMode', 'dark')
    localStorage.setItem('themePrimary', 'toska')
  })
  // Only the first paint is left without the app's own script.
  await page.route('**/assets/*.js', () => {})
  const placeholder = page.locator('#start-placeholder')
  await test.step('the chosen appearance is there before the app is', async () => {
    await page.goto('/', { waitUntil: 'commit' })
    const root = page.locator('html')
    await expect(root).toHaveAttribute('data-theme', 'dark')
    await expect(root).toHaveAttribute('data-primary', 'toska')
    await expect(page.locator('body')).toHaveCSS('background-color', 'oklch(0.19 0.0075 78)')
  })
  await test.step('a visitor who chose English, or a signed-in user, gets a placeholder, not the prerendered Indonesian page', async () => {
    for (const path of ['/', '/history']) {
      await page.goto(path, { waitUntil: 'commit' })
      await expect(placeholder).toBeVisible()
      await expect(page.locator('[data-prerendered] h1')).toBeHidden()
    }
    await page.unroute('**/assets/*.js')
    await page.goto('/pricing')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pricing')
    await expect(placeholder).toBeHidden()
  })
})

test('pages are sent with their first screen as the app renders it, and nothing moves or flickers then', async ({
  page,
}) => {
  await expectSentAsRendered(page, [
    '/',
    '/ai-background-removal',
    '/pricing',
    '/login',
    '/pricing?lang=en',
    '/ai-object-removal?lang=en&utm_source=instagram',
  ])
  await test.step('on a desktop nothing moves while the options of a tool come', async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    for (const path of ['/ai-headshot', '/ai-background-diffusion']) {
      await page.goto(path)
      await expect(page.getByRole('button', { name: /kredit|gratis/ }).last()).toBeInViewport({ ratio: 1 })
      await page.waitForLoadState('networkidle')
      const { shifts } = await headingSeen(page)
      expect(shifts, path).toBeLessThanOrEqual(0.02)
    }
  })
  await test.step('the first heading has as many lines in the device’s font as in the app’s', async () => {
    const heights = async () => {
      const found: number[] = []
      for (const width of [360, 393, 412]) {
        await page.setViewportSize({ width, height: 844 })
        found.push((await page.getByRole('heading', { level: 1 }).boundingBox())?.height ?? 0)
      }
      return found
    }
    for (const path of ['/', '/?lang=en']) {
      await page.addInitScript(() => Object.defineProperty(window, 'loadFont', { value: null }))
      await page.goto(path)
      await expect(page.locator('[data-prerendered]')).toHaveCount(0)
      const before = await heights()
      await page.evaluate(async () => {
        const { href } = document.getElementById('font') as HTMLLinkElement
        const font = new FontFace('Plus Jakarta Sans', `url(${href})`, { weight: '200 800' })
        document.fonts.add(font)
        await font.load()
      })
      expect(await heights(), path).toEqual(before)
    }
  })
})

test('a page that fails to load is retried, and after a while an error is shown', { tag: '@soak' }, async ({
  page,
}) => {
  const lost = /assets\/not-found-page-/
  await page.goto('/')
  const failed = page.getByRole('heading', { name: 'Halaman ini belum bisa dibuka' })
  const heading = page.getByRole('heading', { level: 1, name: 'Halaman tidak ditemukan' })
  // The first failure reloads the page once, since its build might be gone.
  let losses = 0
  await page.route(lost, async (route) => {
    losses += 1
    await (losses > 3 ? route.continue() : route.abort())
  })
  await navigateInApp(page, '/tidak-ada')
  await expect(heading.or(failed)).toBeVisible()
  await expect(failed).toBeHidden()
  expect(losses).toBeGreaterThan(3)

  losses = Number.NEGATIVE_INFINITY
  await page.goto('/')
  await navigateInApp(page, '/tidak-ada')
  await expect(failed).toBeVisible()
  losses = 4
  await expect(heading).toBeVisible()
})

test('pages that visitors rarely begin with are sent with their first screen, and nothing moves or flickers then', {
  tag: '@soak',
}, async ({ page }) => {
  await expectSentAsRendered(page, [
    '/ai-cartoonizer',
    '/how-to-use',
    '/register',
    '/forgot-password',
    '/privacy-policy',
    '/customize-edit',
  ])
})
