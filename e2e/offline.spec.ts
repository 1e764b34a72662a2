import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type BrowserContext, expect, type Page } from '@playwright/test'
import sharp from 'sharp'
import { makeClip } from '../tests/support/clips.ts'
import { api, createAccount, signInByApi, signInOnDevice, signInOnScreen } from './support/account.ts'
import { test } from './support/app.ts'
import { startAppServer } from './support/app-server.ts'
import { userDataOnDevice } from './support/device.ts'
import { generate } from './support/generate.ts'
import { type BadNetwork, badNetwork } from './support/proxy.ts'
import { balanceOf, generationsOf, openStudio, photo, studio, submitPhoto } from './support/send-photo.ts'
import type { RealServer, RunningServer } from './support/server.ts'
import { adjustCredits } from './support/staff.ts'
import { chooseFiles } from './support/tool.ts'

test.describe.configure({ mode: 'parallel' })
test.use({ serviceWorkers: 'allow' })

let server: RunningServer
let network: BadNetwork

test.beforeEach(async ({ server: running }) => {
  server = running
  network = await badNetwork(server.port)
})
test.afterEach(() => network.close())

async function submitOffline(page: Page): Promise<void> {
  await submitPhoto(page)
  await expect(page.getByText('Menunggu koneksi').first()).toBeVisible()
}

/** As after a long absence. */
async function letTokenExpire(context: BrowserContext): Promise<void> {
  const page = await context.newPage()
  // A static file: the app itself must not run yet.
  await page.goto(`${network.origin}/theme.js`)
  await page.evaluate(async () => {
    const [head, body = '', signature] = (localStorage.getItem('authToken') ?? '').split('.')
    const claims = JSON.parse(atob(body.replaceAll('-', '+').replaceAll('_', '/')))
    claims.exp = Math.floor(Date.now() / 1000) - 60
    const expired = [head, btoa(JSON.stringify(claims)), signature].join('.')
    localStorage.setItem('authToken', expired)
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('keyval-store')
      opening.onsuccess = () => resolve(opening.result)
      opening.onerror = () => reject(opening.error)
    })
    const writing = database.transaction('keyval', 'readwrite')
    writing.objectStore('keyval').put(expired, 'authToken')
    await new Promise((resolve) => {
      writing.oncomplete = resolve
    })
    database.close()
  })
  await page.close()
}

test.describe('with a server that stops', () => {
  let own: RealServer
  test.beforeEach(async () => {
    own = await startAppServer()
    server = own
  })
  test.afterEach(() => own.dispose())

  test('a portrait sent while the server is gone waits, survives closing the app and arrives exactly once', async ({
    context,
    page,
  }) => {
    const { email } = await createAccount(server, 'Siti')
    await openStudio(page, server, email)
    await own.stop()
    await submitOffline(page)
    await expect(page.getByRole('status').filter({ hasText: 'Kamu sedang offline' })).toBeAttached()
    await page.getByRole('button', { name: /^Unggahan: 1/ }).tap()
    const row = page.getByRole('dialog').getByRole('listitem')
    await expect(row).toContainText('Hapus Latar')
    await expect(row).toContainText('5 kredit')
    await expect(row).toContainText('Menunggu koneksi')
    await expect(row.locator('img')).toBeVisible()
    await page.close()

    await own.start()
    expect(await generationsOf(server, email)).toEqual([])
    const again = await context.newPage()
    await again.goto(`${server.origin}/history`)
    await expect.poll(async () => (await generationsOf(server, email)).length).toBe(1)
    await expect(again.getByRole('button', { name: /^Unggahan/ })).toHaveCount(0)
    await again.reload()
    await expect.poll(async () => (await generationsOf(server, email))[0]?.status).toBe('succeeded')
    expect(await generationsOf(server, email)).toHaveLength(1)
    expect(await balanceOf(server, email)).toBe(20)
    await expect(again.getByLabel('Saldo: 20 kredit').first()).toBeVisible()
  })
})

test('the service worker sends a waiting portrait when the app is closed', async ({ context, page }) => {
  const { email } = await createAccount(server, 'Dewi')
  await openStudio(page, network, email)
  await network.disconnect()
  await submitOffline(page)
  const session = await context.newCDPSession(page)
  const registrationId = await new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL.startsWith(network.origin))
      if (own) resolve(own.registrationId)
    })
    void session.send('ServiceWorker.enable')
  })
  await page.goto('about:blank')
  expect(await generationsOf(server, email)).toEqual([])
  await network.reconnect()
  await session.send('ServiceWorker.dispatchSyncEvent', {
    origin: network.origin,
    registrationId,
    tag: 'upload-queue',
    lastChance: false,
  })
  await expect.poll(async () => (await generationsOf(server, email)).length).toBe(1)
  expect(await balanceOf(server, email)).toBe(20)
})

test('a generation whose response is lost arrives once and is paid once', async ({ page }) => {
  const { email } = await createAccount(server, 'Rina')
  await openStudio(page, network, email)
  let requests = 0
  network.loseResponses((method, path) => {
    const isGeneration = method === 'POST' && path === '/api/generations'
    if (isGeneration) requests += 1
    return isGeneration
  }, 2)
  await submitPhoto(page)
  await expect.poll(() => requests).toBeGreaterThanOrEqual(2)
  await expect(page.getByRole('button', { name: /^Unggahan/ })).toHaveCount(0)
  expect(await generationsOf(server, email)).toHaveLength(1)
  expect(await balanceOf(server, email)).toBe(20)
})

test('a picture whose upload is cut five times resumes each time, and arrives once', async ({ page }) => {
  const { email } = await createAccount(server, 'Yuni')
  await openStudio(page, network, email)
  // Noise stays large in every encoding.
  const raw = { width: 1200, height: 1200, channels: 3 } as const
  const large = await sharp(randomBytes(1200 * 1200 * 3), { raw })
    .composite([{ input: await sharp(photo).resize(900, 1100, { fit: 'fill' }).toBuffer(), gravity: 'south' }])
    .jpeg({ quality: 95 })
    .toBuffer()
  let sent = 0
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/uploads')) sent += 1
  })
  network.cutUploads(150_000, 5)
  await submitPhoto(page, { name: 'besar.jpg', mimeType: 'image/jpeg', buffer: large })
  const statuses = async () => (await generationsOf(server, email)).map(({ status }) => status)
  await expect.poll(statuses, { timeout: 120_000 }).toEqual(['succeeded'])
  expect(network.cuts()).toBe(5)
  // At most the free check, which ends with the tap, and the generation.
  expect(sent).toBeLessThanOrEqual(2)
  expect(await balanceOf(server, email)).toBe(20)
})

test('a generation cancelled after its response was lost is cancelled on the server and refunded', async ({ page }) => {
  const { email } = await createAccount(server, 'Lina')
  await adjustCredits(server, await signInByApi(server, email), 100)
  await signInOnDevice(page, network, email)
  await page.goto(`${network.origin}/ai-video-background-removal`)
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  network.loseResponses((method, path) => method === 'POST' && path === '/api/generations', Number.POSITIVE_INFINITY)
  // Far from complete when it is cancelled.
  const { bytes } = await makeClip({ width: 96, height: 96, seconds: 20, frameRate: 24, sounds: 0 })
  await chooseFiles(page, { name: 'lama.mp4', mimeType: 'video/mp4', buffer: Buffer.from(bytes) }, 'Pilih video')
  await page.getByRole('button', { name: /^Hapus latar video/ }).tap()
  await expect.poll(async () => (await generationsOf(server, email)).length).toBe(1)
  await page.getByRole('button', { name: /^Unggahan/ }).tap()
  await page.getByRole('dialog').getByRole('button', { name: 'Batalkan' }).tap()
  await expect(page.getByRole('dialog')).toContainText('Sedang dibatalkan')
  network.loseResponses(() => false, 0)
  await expect(page.getByRole('button', { name: /^Unggahan/ })).toHaveCount(0)
  // The list stays until it is closed.
  await expect(page.getByRole('dialog')).toContainText('Tidak ada lagi yang menunggu dikirim.')
  await expect(page.getByRole('dialog').locator(':focus')).toHaveCount(1)
  expect((await generationsOf(server, email)).map(({ status }) => status)).toEqual(['cancelled'])
  expect(await balanceOf(server, email)).toBe(125)
})

test('with a token that expired meanwhile the app asks to sign in, and then sends the portrait', async ({
  context,
  page,
}) => {
  const { email } = await createAccount(server, 'Ayu')
  await openStudio(page, network, email)
  await network.disconnect()
  await submitOffline(page)
  await page.close()
  await letTokenExpire(context)
  await network.reconnect()

  const again = await context.newPage()
  await again.goto(network.origin)
  await again.getByRole('button', { name: /^Unggahan: 1, 1 menunggu kamu/ }).tap()
  const list = again.getByRole('dialog')
  await expect(list).toContainText('Sesimu sudah berakhir')
  // Any visitor could see the list while signed out.
  await expect(list.locator('img')).toHaveCount(0)
  expect(await generationsOf(server, email)).toEqual([])
  await list.getByRole('link', { name: 'Masuk', exact: true }).tap()
  await again.waitForURL(/\/login$/)
  await signInOnScreen(again, email, network.origin)
  await expect.poll(async () => (await generationsOf(server, email)).length).toBe(1)
  expect(await balanceOf(server, email)).toBe(20)
})

test('with a session that the server ended the app asks to sign in, and then sends the portrait', async ({ page }) => {
  const { email } = await createAccount(server, 'Tuti')
  await openStudio(page, network, email)
  await network.disconnect()
  await submitOffline(page)
  const token = await page.evaluate(() => localStorage.getItem('authToken') ?? '')
  await page.goto('about:blank')
  await api(server, '/api/logout', { token, json: {} })
  await network.reconnect()
  await page.goto(network.origin)
  await expect(page.getByRole('button', { name: /^Unggahan: 1, 1 menunggu kamu/ })).toBeVisible()
  expect(await generationsOf(server, email)).toEqual([])
  await signInOnScreen(page, email, network.origin)
  await expect.poll(async () => (await generationsOf(server, email)).length).toBe(1)
})

test('another user who signs in sends and sees no portrait of the first one', async ({ context, page }) => {
  const first = await createAccount(server, 'Putri')
  const second = await createAccount(server, 'Budi')
  await openStudio(page, network, first.email)
  await network.disconnect()
  await submitOffline(page)
  await page.close()
  await letTokenExpire(context)
  await network.reconnect()

  const again = await context.newPage()
  await signInOnScreen(again, second.email, network.origin)
  await again.goto(`${network.origin}/history`)
  await expect(again.getByText('Belum ada gambar yang dibuat')).toBeVisible()
  await expect(again.getByRole('button', { name: /^Unggahan/ })).toHaveCount(0)
  await again.reload()
  await expect(again.getByText('Belum ada gambar yang dibuat')).toBeVisible()
  expect(await generationsOf(server, first.email)).toEqual([])
  expect(await generationsOf(server, second.email)).toEqual([])
  await again.goto(`${network.origin}/logout`)
  await again.waitForURL(`${network.origin}/`)

  await signInOnScreen(again, first.email, network.origin)
  await expect.poll(async () => (await generationsOf(server, first.email)).length).toBe(1)
  expect(await generationsOf(server, second.email)).toEqual([])
  expect(await balanceOf(server, second.email)).toBe(25)
})

test('history with its pictures and the balance open offline and show their age', async ({ context, page }) => {
  const { email } = await createAccount(server, 'Sri')
  await openStudio(page, network, email)
  await submitPhoto(page)
  await expect.poll(async () => (await generationsOf(server, email))[0]?.status).toBe('succeeded')
  await page.goto(`${network.origin}/history`)
  const picture = page.getByRole('list', { name: 'Hasil' }).locator('img').first()
  const loaded = () => picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0)
  await expect.poll(loaded).toBe(true)
  await page.goto(`${network.origin}/billing`)
  await expect(page.getByLabel('Saldo: 20 kredit').first()).toBeVisible()
  await expect(page.getByText('Belum ada pesanan.')).toBeVisible()
  await expect(page.getByText('sisa 20')).toBeVisible()
  const kept = async () => (await page.evaluate(userDataOnDevice)).databases['rupa-queries']?.join() ?? ''
  await expect.poll(kept).toMatch(/ledger/)
  await page.close()
  await network.disconnect()

  const offline = await context.newPage()
  await offline.goto(`${network.origin}/history`)
  const offlinePicture = offline.getByRole('list', { name: 'Hasil' }).locator('img').first()
  await expect
    .poll(() => offlinePicture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0))
    .toBe(true)
  await expect(offline.getByText(/Kamu sedang offline\. Daftar ini diperbarui/)).toBeVisible()
  await offline.goto(`${network.origin}/billing`)
  await expect(offline.getByLabel('Saldo: 20 kredit').first()).toBeVisible()
  await expect(offline.getByText(/^Diperbarui/)).toHaveCount(3)
  await expect(offline.getByText('Belum ada pesanan.')).toBeVisible()
  await expect(offline.getByText('sisa 20')).toBeVisible()

  // The button disappears with the last upload, so the focus moves to its neighbour.
  await offline.goto(`${network.origin}${studio}`)
  await submitOffline(offline)
  await offline.goto(`${network.origin}/billing`)
  const uploads = offline.getByRole('button', { name: /^Unggahan/ })
  await offline.setViewportSize({ width: 360, height: 640 })
  const sign = (await offline.getByText('Offline', { exact: true }).boundingBox())!
  expect(sign.x + sign.width).toBeLessThan((await uploads.boundingBox())!.x)
  await uploads.tap()
  await network.reconnect()
  const list = offline.getByRole('dialog')
  await expect(list).toContainText('Tidak ada lagi yang menunggu dikirim.')
  await list.getByRole('button', { name: 'Tutup', exact: true }).tap()
  await expect(offline.getByRole('banner').locator(':focus')).toHaveCount(1)
})

test('a result missing on the device shows offline that it cannot be opened, and opens once the server is back', async ({
  page,
}) => {
  const { email } = await createAccount(server, 'Wati')
  await openStudio(page, network, email)
  await network.disconnect()
  const { id } = await generate(server, await signInByApi(server, email), await readFile(photo))
  await page.goto(`${network.origin}/history?id=${id}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hasil belum bisa dibuka')
  await expect(page.getByText('Tidak ada koneksi. Periksa internetmu lalu coba lagi.')).toBeVisible()
  await page.getByRole('button', { name: 'Coba lagi' }).tap()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hasil belum bisa dibuka')
  await network.reconnect()
  await expect(page.getByRole('img', { name: 'Hasil edit' })).toBeVisible()
})

test('signing out warns about waiting portraits and leaves nothing behind', async ({ page }) => {
  const { email } = await createAccount(server, 'Nur')
  await openStudio(page, network, email)
  await submitPhoto(page)
  await expect.poll(async () => (await generationsOf(server, email))[0]?.status).toBe('succeeded')
  await page.goto(`${network.origin}/history`)
  // The worker caches a picture once it has loaded.
  await expect.poll(async () => (await page.evaluate(userDataOnDevice)).files.length).toBeGreaterThan(0)
  await page.goto(`${network.origin}${studio}`)
  await network.disconnect()
  await submitOffline(page)
  // Only the arrived item is removed.
  await expect.poll(async () => (await page.evaluate(userDataOnDevice)).databases['rupa-uploads']).toHaveLength(2)
  const before = await page.evaluate(userDataOnDevice)
  expect(before.localStorage).toContain('authToken')
  expect(before.databases['rupa-queries']?.length).toBeGreaterThan(0)
  expect(before.files.length).toBeGreaterThan(0)

  await page.goto(`${network.origin}/logout`)
  const question = page.getByRole('dialog')
  await expect(question).toContainText('1 foto belum terkirim')
  await question.getByRole('button', { name: 'Hapus dan keluar' }).tap()
  await page.waitForURL(`${network.origin}/`)
  await expect
    .poll(() => page.evaluate(userDataOnDevice))
    .toEqual({ localStorage: [], sessionStorage: [], databases: expect.anything(), files: [] })
  for (const [name, keys] of Object.entries((await page.evaluate(userDataOnDevice)).databases))
    expect(keys, name).toEqual([])

  await network.reconnect()
  await page.reload()
  expect(await generationsOf(server, email)).toHaveLength(1)
})
