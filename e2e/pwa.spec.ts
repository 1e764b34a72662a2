import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium, expect, type Page } from '@playwright/test'
import { makeClip } from '../tests/support/clips.ts'
import { test } from './support/app.ts'
import { type BadNetwork, badNetwork } from './support/proxy.ts'
import type { RunningServer } from './support/server.ts'

let server: RunningServer
let network: BadNetwork

test.use({ serviceWorkers: 'allow', serverPreviews: false })
test.beforeAll(({ server: running }) => {
  server = running
})
test.beforeEach(async () => {
  network = await badNetwork(server.port)
})
test.afterEach(() => network?.close())

test('the app can be installed: no error in the manifest, none in installability', async () => {
  // Nothing can be installed in Playwright's contexts, which resemble private windows.
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

test('a new version waits while the user edits a picture, then is offered, installed on request, and not offered again', async ({
  page,
}) => {
  const offer = page.getByText('Versi baru sudah siap')
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
  await expect(offer).toHaveCount(0)
  // The picture stays in the studio while the user visits another page.
  await page.getByRole('link', { name: 'Ke beranda', exact: true }).tap()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Sekali ketuk')
  await expect(offer).toHaveCount(0)
  await page.reload()
  await expect(offer).toBeVisible()
  // The last link is reachable at the end of the page.
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
  await expect(offer).toHaveCount(0)
})

test('every page of the app opens without the server, and the API never responds from the device', async ({ page }) => {
  await page.goto(network.origin)
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  await network.close()
  const heading = page.getByRole('heading', { level: 1 })
  for (const path of ['/', '/ai-background-removal', '/tidak-ada']) {
    await page.goto(`${network.origin}${path}`)
    await expect(heading.first(), path).toBeVisible()
  }
  for (const [path, title] of [
    ['/pricing', 'Harga'],
    ['/how-to-use', 'Cara pakai'],
    ['/login', 'Masuk'],
    ['/privacy-policy', 'Kebijakan privasi'],
  ] as const) {
    await page.goto(`${network.origin}${path}`)
    await expect(heading.first()).toHaveText(title)
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

interface SharedFile {
  name: string
  bytes: Uint8Array
}

const photos = join(import.meta.dirname, '..', 'tests', 'fixtures', 'photos')
const photo = async (name: string): Promise<SharedFile> => ({ name, bytes: await readFile(join(photos, name)) })

/** Sends files as a phone shares them with an app. */
async function share(page: Page, files: readonly SharedFile[], origin = ''): Promise<void> {
  const shared = files.map(({ name, bytes }) => ({ name, base64: Buffer.from(bytes).toString('base64') }))
  const send = ({ shared, action }: { shared: { name: string; base64: string }[]; action: string }) => {
    const files = new DataTransfer()
    for (const { name, base64 } of shared) {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
      files.items.add(new File([bytes], name, { type: name.endsWith('.mp4') ? 'video/mp4' : 'image/jpeg' }))
    }
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
  await page.evaluate(send, { shared, action: `${origin}/share` })
}

/** Closes all pages and stops the worker. */
async function closeApp(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/theme.js`)
  const session = await page.context().newCDPSession(page)
  await session.send('ServiceWorker.enable')
  await session.send('ServiceWorker.stopAllWorkers')
  await session.detach()
}

for (const { when, tag } of [{ when: 'while the app is closed' }, { when: 'offline', tag: '@soak' }]) {
  test(`a picture shared ${when} reaches the chosen tool`, { tag }, async ({ page }) => {
    await page.goto(network.origin)
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
    await closeApp(page, network.origin)
    if (when === 'offline') await network.close()
    const threePhotos = await Promise.all(['coffee.jpg', 'chelsea.jpg', 'rocket.jpg'].map(photo))
    const clip = await makeClip({ width: 240, height: 320, seconds: 1.2, frameRate: 10 })

    // A single tool accepts clips.
    await share(page, [{ name: 'liburan.mp4', bytes: clip.bytes }])
    await page.waitForURL(`${network.origin}/ai-video-background-removal`)
    await expect(page.getByRole('button', { name: 'Ganti video' })).toBeVisible()

    await closeApp(page, network.origin)
    await share(page, threePhotos)
    await page.waitForURL(/\/open-with\?shared=[1-9]\d+$/)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mau diapakan 3 foto ini?')
    const tools = page.getByRole('region', { name: 'Foto' }).getByRole('button', { name: /^(?!Buang)/ })
    await expect(tools.first()).toContainText('Tata Letak Foto')
    await page.getByRole('button', { name: /^Hapus Latar/ }).tap()
    await page.waitForURL(`${network.origin}/ai-background-removal`)
    await expect(page.getByRole('button', { name: /^Buang foto/ })).toHaveCount(3)

    // The last used tool comes first.
    await closeApp(page, network.origin)
    await share(page, threePhotos.slice(0, 2))
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mau diapakan 2 foto ini?')
    await expect(tools.first()).toContainText('Hapus Latar')
    await page.getByRole('button', { name: /^Tata Letak Foto/ }).tap()
    await page.waitForURL(`${network.origin}/photo-layout`)
    await expect(page.getByRole('button', { name: /^Buang foto/ })).toHaveCount(2)
  })
}

test.describe('without the service worker', () => {
  test.use({ serviceWorkers: 'block' })

  test('pictures that the desktop opens with the app reach the chosen tool, wherever the app was', async ({ page }) => {
    await page.addInitScript(() => {
      const launchQueue = { setConsumer: (consumer: unknown) => Object.assign(window, { launch: consumer }) }
      Object.defineProperty(window, 'launchQueue', { value: launchQueue })
    })
    await page.goto(server.origin)
    const picture = (await page.screenshot()).toString('base64')
    const open = async () => {
      // The browser keeps launch files until the app listens.
      await page.waitForFunction(() => 'launch' in window)
      await page.evaluate((base64) => {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
        const gone = { getFile: () => Promise.reject(new DOMException('', 'NotFoundError')) }
        const files = [gone, { getFile: async () => new File([bytes], 'buka.png', { type: 'image/png' }) }]
        const { launch } = window as unknown as { launch: (params: unknown) => void }
        launch({ targetURL: `${location.origin}/open-with`, files })
      }, picture)
    }
    const choose = page.getByRole('button', { name: /^Hapus Latar/ })
    await open()
    await choose.tap()
    await expect(page).toHaveURL(`${server.origin}/ai-background-removal`)
    await expect(page.getByRole('button', { name: 'Ganti foto' })).toBeVisible()
    // Both versions can run.
    await open()
    await choose.tap()
    await page.getByRole('button', { name: 'Pakai semuanya' }).tap()
    await expect(page.getByRole('button', { name: 'Buang foto 2' })).toBeVisible()
  })
})
