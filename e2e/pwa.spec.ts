import { chromium, expect, type Page } from '@playwright/test'
import { test } from './support/app.ts'
import { type BadNetwork, badNetwork } from './support/proxy.ts'
import type { RunningServer } from './support/server.ts'

let server: RunningServer
let network: BadNetwork

test.use({ serviceWorkers: 'allow' })
test.beforeAll(({ server: running }) => {
  server = running
})
test.beforeEach(async () => {
  network = await badNetwork(server.port)
})
test.afterEach(() => network?.close())

test('the app can be installed: no error in the manifest, none in installability', async () => {
  // A context of Playwright's is like a private window, in which nothing can be installed; a
  // profile of its own is not.
  const context = await chromium.launchPersistentContext('', test.info().project.use.launchOptions)
  const page = await context.newPage()
  await page.goto(server.origin)
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  const session = await context.newCDPSession(page)
  const manifest = await session.send('Page.getAppManifest')
  expect(manifest.errors).toEqual([])
  expect(JSON.parse(manifest.data ?? '{}')).toMatchObject({ id: '/', lang: 'id', display: 'standalone' })
  expect((await session.send('Page.getInstallabilityErrors')).installabilityErrors).toEqual([])
  await context.close()
})

test('a new version is offered, taken when asked for, and not offered again', async ({ page }) => {
  await page.goto(network.origin)
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  network.deployNewWorker()
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update())
  await expect(page.getByText('Versi baru sudah siap')).toBeVisible()
  // At the end of the page the last link can still be reached.
  const last = page.locator('footer a').last()
  await expect
    .poll(() =>
      last.evaluate((link) => {
        window.scrollTo(0, document.documentElement.scrollHeight)
        const { x, y, width, height } = link.getBoundingClientRect()
        return link.contains(document.elementFromPoint(x + width / 2, y + height / 2))
      }),
    )
    .toBe(true)
  await page.evaluate(() => {
    document.body.dataset.old = 'true'
  })
  await page.getByRole('button', { name: 'Perbarui' }).tap()
  await expect(page.locator('body[data-old]')).toHaveCount(0)
  await page.waitForFunction(async () => {
    const registration = await navigator.serviceWorker.getRegistration()
    return registration?.active?.state === 'activated' && !registration.waiting
  })
  await expect(page.getByText('Versi baru sudah siap')).toHaveCount(0)
})

test('a new version waits while somebody edits a picture', async ({ page }) => {
  await page.goto(`${network.origin}/ai-background-removal`)
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  await page
    .locator('input[type="file"]:not([capture])')
    .first()
    .setInputFiles({
      name: 'potret.png',
      mimeType: 'image/png',
      buffer: await page.screenshot(),
    })
  await expect(page.getByRole('button', { name: 'Pilih foto' })).toHaveCount(0)
  network.deployNewWorker()
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update())
  await page.waitForFunction(async () => (await navigator.serviceWorker.getRegistration())?.waiting != null)
  await expect(page.getByText('Versi baru sudah siap')).toHaveCount(0)
  // The picture stays in the studio while somebody looks elsewhere.
  await page.getByRole('link', { name: 'Ke beranda', exact: true }).tap()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Sekali ketuk')
  await expect(page.getByText('Versi baru sudah siap')).toHaveCount(0)
  await page.reload()
  await expect(page.getByText('Versi baru sudah siap')).toBeVisible()
})

test('every page of the app opens without the server, and the API never responds from the device', async ({ page }) => {
  await page.goto(network.origin)
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  await network.close()
  for (const path of [
    '/',
    '/ai-background-removal',
    '/pricing',
    '/how-to-use',
    '/login',
    '/privacy-policy',
    '/tidak-ada',
  ]) {
    await page.goto(`${network.origin}${path}`)
    await expect(page.locator('h1').first(), path).toBeVisible()
  }
  expect(
    await page.evaluate(() =>
      fetch('/api/tools').then(
        (response) => response.status,
        () => 'no response',
      ),
    ),
  ).toBe('no response')
})

/** Sends a picture as the phone does for an app that it is shared with. */
async function share(page: Page, origin = ''): Promise<void> {
  const picture = (await page.screenshot()).toString('base64')
  const send = ({ base64, action }: { base64: string; action: string }) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    const files = new DataTransfer()
    files.items.add(new File([bytes], 'bagikan.png', { type: 'image/png' }))
    const form = document.createElement('form')
    form.method = 'POST'
    form.action = action
    form.enctype = 'multipart/form-data'
    const input = document.createElement('input')
    input.type = 'file'
    input.name = 'photos'
    input.files = files.files
    form.append(input)
    document.body.append(form)
    form.submit()
  }
  await page.evaluate(send, { base64: picture, action: `${origin}/share` })
}

/** The names of the pictures that wait for the first tool. */
async function readDraft(): Promise<string[]> {
  const database = await new Promise<IDBDatabase>((resolve) => {
    const opening = indexedDB.open('keyval-store')
    opening.onsuccess = () => resolve(opening.result)
  })
  const reading = database.transaction('keyval').objectStore('keyval').get('draft:background-removal')
  await new Promise((resolve) => {
    reading.onsuccess = resolve
  })
  return ((reading.result ?? []) as { file: File }[]).map(({ file }) => file.name)
}

test('pictures shared from another app are in the studio of the tool, also those of a second share', async ({
  page,
}) => {
  await page.goto(server.origin)
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  await share(page)
  await page.waitForURL(`${server.origin}/ai-background-removal`)
  await expect(page.getByRole('button', { name: 'Ganti foto' })).toBeVisible()

  // Two shares before the tool's page has taken the first: none of them replaces the other.
  await page.goto(`${server.origin}/theme.js`)
  await page.evaluate(async () => {
    for (const name of ['satu.png', 'dua.png', 'dua.png']) {
      const form = new FormData()
      form.append('photos', new File([name], name, { type: 'image/png', lastModified: 1 }))
      await fetch('/share', { method: 'POST', body: form, redirect: 'manual' })
    }
  })
  expect(await page.evaluate(readDraft)).toEqual(['satu.png', 'dua.png'])
})

for (const policy of ['strict-origin-when-cross-origin', 'no-referrer']) {
  test(`a foreign site that sends a picture as the system would leaves nothing (${policy})`, async ({ page }) => {
    await page.goto(server.origin)
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
    await page.route('http://foreign.example/', (route) =>
      route.fulfill({
        contentType: 'text/html',
        headers: { 'referrer-policy': policy },
        body: '<p>Menang hadiah!</p>',
      }),
    )
    await page.goto('http://foreign.example/')
    const refused = page.waitForResponse((response) => response.status() === 403)
    await share(page, server.origin)
    expect(await (await refused).json()).toMatchObject({ code: 'request.foreign_site' })
    await page.goto(`${server.origin}/theme.js`)
    expect(await page.evaluate(readDraft)).toEqual([])
  })
}

test('a picture shared before the service worker is there has to be chosen again, and the page says so', async ({
  browser,
}) => {
  const context = await browser.newContext({ serviceWorkers: 'block' })
  const page = await context.newPage()
  await page.goto(server.origin)
  await share(page)
  await expect(
    page.getByText('Foto yang kamu bagikan belum bisa diterima. Pilih lagi fotonya di sini, ya.'),
  ).toBeVisible()
  await expect(page).toHaveURL(`${server.origin}/ai-background-removal`)
  await context.close()
})

test.describe('without the service worker', () => {
  test.use({ serviceWorkers: 'block' })

  test('every icon and screenshot of the manifest has the size it claims', async ({ page }) => {
    await page.goto(server.origin)
    const sizes = await page.evaluate(async () => {
      const address = document.querySelector<HTMLLinkElement>('link[rel="manifest"]')?.href ?? ''
      const manifest = await (await fetch(address)).json()
      const shortcuts = manifest.shortcuts.flatMap((shortcut: { icons: unknown[] }) => shortcut.icons)
      const pictures: { src: string; sizes: string }[] = [
        ...manifest.icons,
        ...(manifest.screenshots ?? []),
        ...shortcuts,
      ]
      return Promise.all(
        pictures.map(async ({ src, sizes: claimed }) => {
          const picture = await createImageBitmap(await (await fetch(src)).blob())
          return [src, claimed, `${picture.width}x${picture.height}`]
        }),
      )
    })
    expect(sizes.length).toBeGreaterThanOrEqual(5)
    for (const [src, claimed, real] of sizes) expect(real, src).toBe(claimed)
  })

  test('pictures that the desktop opens with the app are in the studio, wherever the app was', async ({ page }) => {
    await page.addInitScript(() => {
      const launchQueue = { setConsumer: (consumer: unknown) => Object.assign(window, { launch: consumer }) }
      Object.defineProperty(window, 'launchQueue', { value: launchQueue })
    })
    await page.goto(server.origin)
    const picture = (await page.screenshot()).toString('base64')
    const open = () =>
      page.evaluate((base64) => {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
        const gone = { getFile: () => Promise.reject(new DOMException('', 'NotFoundError')) }
        const files = [gone, { getFile: async () => new File([bytes], 'buka.png', { type: 'image/png' }) }]
        const { launch } = window as unknown as { launch: (params: unknown) => void }
        launch({ targetURL: `${location.origin}/ai-background-removal`, files })
      }, picture)
    await open()
    await expect(page).toHaveURL(`${server.origin}/ai-background-removal`)
    await expect(page.getByRole('button', { name: 'Ganti foto' })).toBeVisible()
    // On the tool's page itself a second one takes the place of the first, and both can run.
    await open()
    await page.getByRole('button', { name: 'Gabungkan' }).tap()
    await expect(page.getByRole('button', { name: 'Buang foto 2' })).toBeVisible()
  })
})
