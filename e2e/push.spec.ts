import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type Page, type Worker } from '@playwright/test'
import type { PushMessage } from '#shared/push-message.ts'
import { createPushService, type PushDevice } from '#tests/support/push-service.ts'
import { api, createAccount, navigateInApp, signInByApi, signInOnDevice } from './support/account.ts'
import { test } from './support/app.ts'
import { generate } from './support/generate.ts'

const portrait = join(import.meta.dirname, 'fixtures', 'portrait.jpg')

test.use({ serviceWorkers: 'allow' })

/** The browser lacks its maker's push service, so it subscribes here. */
async function subscribeAt(page: Page, { subscription }: PushDevice): Promise<void> {
  await page.addInitScript((given) => {
    const key = 'test-subscribed'
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
    Notification.requestPermission = async () => 'granted'
    const made = {
      options: { applicationServerKey: null },
      toJSON: () => given,
      unsubscribe: async () => localStorage.removeItem(key),
    }
    const { prototype } = PushManager as unknown as { prototype: Record<string, unknown> }
    prototype.getSubscription = async () => (localStorage.getItem(key) === null ? null : made)
    prototype.subscribe = async () => {
      localStorage.setItem(key, '')
      return made
    }
  }, subscription)
}

interface Notices {
  shown: Notification[]
  looked: number
}

/**
 * The headless browser has no notifications and badges, so they are recorded. Its pages are always
 * focused: `away` simulates that none is open.
 */
const keepNotices = (worker: Worker) =>
  worker.evaluate(() => {
    const kept = Object.assign(self as unknown as Notices, { shown: [], looked: 0 })
    const { shown } = kept
    const prototype = Object.getPrototypeOf((self as unknown as { registration: object }).registration)
    prototype.showNotification = async (title: string, options: NotificationOptions) => {
      const before = shown.findIndex(({ tag }) => tag === options.tag)
      shown.splice(before, before < 0 ? 0 : 1, { ...options, title, close: () => void shown.pop() } as Notification)
    }
    const { clients } = self as unknown as { clients: { matchAll(options: object): Promise<object[]> } }
    const matchAll = clients.matchAll.bind(clients)
    clients.matchAll = async (options) => {
      const pages = 'away' in self ? [] : await matchAll(options)
      kept.looked += 1
      return pages
    }
    Object.defineProperty(navigator, 'setAppBadge', { value: async () => undefined })
    prototype.getNotifications = async ({ tag }: { tag?: string } = {}) =>
      shown.filter((notice) => tag === undefined || notice.tag === tag)
  })
const titles = (worker: Worker) => worker.evaluate(() => (self as unknown as Notices).shown.map(({ title }) => title))

test('a phone is notified of a result in its language, and a tap opens it; after signing out it gets no messages', async ({
  page,
  context,
  server,
}) => {
  const { email } = await createAccount(server, 'Wulan')
  const token = await signInByApi(server, email)
  const { publicKey } = await api<{ publicKey: string }>(server, '/api/user/push', { token })
  const service = await createPushService(publicKey)
  const device = await service.register()
  await subscribeAt(page, device)
  await signInOnDevice(page, server, email)
  await page.goto('/profile')
  // A generation may end within a second, before the server knows the device.
  const known = page.waitForResponse((response) => response.request().method() === 'PUT' && response.ok())
  await page.getByRole('switch', { name: 'Notifikasi di perangkat ini' }).tap()
  await known
  await expect(page.getByRole('switch')).toHaveCount(7)

  const session = await context.newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
      if (first) resolve(first.registrationId)
    })
  })
  await session.send('ServiceWorker.enable')
  const registrationId = await registered
  const worker = context.serviceWorkers()[0]
  if (!worker) throw new Error('there is no service worker')
  await keepNotices(worker)
  const photo = await readFile(portrait)
  const languages = [
    { told: 'Fotomu sudah siap', several: '2 hasil sudah siap', shown: /hasil/i },
    { told: 'Your photo is ready', several: '2 results are ready', shown: /result/i },
  ]
  for (const [before, { told, several, shown }] of languages.entries()) {
    if (before > 0) {
      await navigateInApp(page, '/profile')
      const chosen = page.waitForResponse((response) => response.request().method() === 'PATCH' && response.ok())
      await page.getByText('English', { exact: true }).tap()
      await chosen
    }
    const { id } = await generate(server, token, photo)
    // The sweeper sends it if the notification was missed.
    await expect.poll(() => device.received.length).toBe(before + 1)
    const message = device.received[before] as PushMessage
    const deliver = () =>
      session.send('ServiceWorker.deliverPushMessage', {
        origin: server.origin,
        registrationId,
        data: JSON.stringify(message),
      })
    // While focused the app itself shows messages.
    const looked = () => worker.evaluate(() => (self as unknown as Notices).looked)
    const already = await looked()
    await deliver()
    await expect.poll(looked).toBe(already + 1)
    await worker.evaluate(() => void Object.assign(self, { away: true }))
    await deliver()
    await expect.poll(() => titles(worker)).toEqual([told])
    await deliver()
    await expect.poll(() => titles(worker)).toEqual([several])
    expect(message.notification.navigate).toBe(`${server.origin}/ai-background-removal?result=${id}`)

    await worker.evaluate((navigate) => {
      Reflect.deleteProperty(self, 'away')
      const [notification] = (self as unknown as Notices).shown
      if (notification) Object.assign(notification.data, { navigate })
      const tap = new (self as unknown as { ExtendableEvent: typeof Event }).ExtendableEvent('notificationclick')
      self.dispatchEvent(Object.assign(tap, { notification }))
    }, message.notification.navigate)
    await expect(page).toHaveURL(message.notification.navigate)
    await expect(page.getByRole('img', { name: shown }).first()).toBeVisible()
    expect(await titles(worker)).toEqual([])
  }

  await page.goto('/logout')
  await expect(page).toHaveURL(/\/$/)
  await expect.poll(() => page.evaluate(() => localStorage.getItem('test-subscribed'))).toBeNull()
  await generate(server, token, photo)
  const runs = () => api<{ items: { status: string }[] }>(server, '/api/generations', { token })
  await expect.poll(async () => (await runs()).items[0]?.status).toBe('succeeded')
  expect(device.received).toHaveLength(languages.length)
  expect(service.refused).toEqual([])
  await service.stop()
})
