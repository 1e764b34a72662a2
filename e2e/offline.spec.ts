import { expect, type Page } from '@playwright/test'
import { createAccount } from './support/account.ts'
import { test } from './support/app.ts'
import { userDataOnDevice } from './support/device.ts'
import { type BadNetwork, badNetwork } from './support/proxy.ts'
import { balanceOf, generationsOf, openStudio, studio, submitPhoto } from './support/send-photo.ts'
import type { RunningServer } from './support/server.ts'

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

test('history with its pictures and the balance open offline with their age, and signing out leaves nothing behind', async ({
  context,
  page,
}) => {
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
  await expect(page.getByText('saldo 20')).toBeVisible()
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
  await expect(offline.getByText('saldo 20')).toBeVisible()

  await offline.goto(`${network.origin}${studio}`)
  await submitOffline(offline)
  const onDevice = () => offline.evaluate(userDataOnDevice)
  const before = await onDevice()
  expect(before.localStorage).toContain('authToken')
  expect(before.databases['rupa-queries']?.length).toBeGreaterThan(0)
  // The item sent before may still be listed, without its picture.
  expect(before.databases['rupa-uploads']?.filter((key) => key.startsWith('files/'))).toHaveLength(1)
  expect(before.files.length).toBeGreaterThan(0)
  await offline.goto(`${network.origin}/logout`)
  const question = offline.getByRole('dialog')
  await expect(question).toContainText('1 foto belum terkirim')
  await question.getByRole('button', { name: 'Hapus dan keluar', exact: true }).tap()
  await offline.waitForURL(`${network.origin}/`)
  await expect.poll(onDevice).toEqual({ localStorage: [], sessionStorage: [], databases: expect.anything(), files: [] })
  for (const [name, keys] of Object.entries((await onDevice()).databases)) expect(keys, name).toEqual([])

  await network.reconnect()
  await offline.reload()
  expect(await generationsOf(server, email)).toHaveLength(1)
})
