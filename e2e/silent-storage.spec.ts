import { expect } from '@playwright/test'
import { createAccount, navigateInApp, signInOnDevice } from './support/account.ts'
import { test } from './support/app.ts'
import { chooseAppearance } from './support/appearance.ts'
import { type BadNetwork, badNetwork } from './support/proxy.ts'
import { balanceOf, generationsOf, openStudio, submitPhoto } from './support/send-photo.ts'
import type { RunningServer } from './support/server.ts'

test.describe.configure({ mode: 'parallel' })
test.use({ serviceWorkers: 'allow' })
const note = {
  id: 'Jangan tutup halaman ini: perangkat ini tidak bisa menyimpan unggahanmu.',
  en: "Keep this page open: this device can't store your upload.",
}

let server: RunningServer
let network: BadNetwork

test.beforeEach(async ({ server: running }) => {
  server = running
  network = await badNetwork(server.port)
})
test.afterEach(() => network.close())

function silenceUploads(): void {
  const { open } = IDBFactory.prototype
  IDBFactory.prototype.open = function (this: IDBFactory, name: string, version?: number) {
    return name === 'rupa-uploads' ? (new EventTarget() as IDBOpenDBRequest) : open.call(this, name, version)
  }
}

/** As in a locked-down browser. */
function removeDatabases(): void {
  Object.defineProperty(window, 'indexedDB', { value: undefined })
  Object.defineProperty(navigator, 'locks', { value: undefined })
}

async function whatArrived(email: string): Promise<{ generations: number; balance: number }> {
  const generations = (await generationsOf(server, email)).length
  return { generations, balance: await balanceOf(server, email) }
}

test('a picture is sent straight from the page when the storage does not respond, arrives once and is paid once', async ({
  page,
}) => {
  const { email } = await createAccount(server, 'Rini')
  await page.addInitScript(silenceUploads)
  await openStudio(page, network, email)
  let generations = 0
  network.loseResponses((method, path) => {
    const isGeneration = method === 'POST' && path === '/api/generations'
    if (isGeneration) generations += 1
    return isGeneration
  }, 2)
  await submitPhoto(page)
  await expect(page.getByText(note.id)).toBeVisible()
  await expect.poll(() => generations).toBeGreaterThanOrEqual(2)
  await page.waitForURL(/[?&]result=/)
  await expect(page.getByRole('button', { name: /^Unggahan/ })).toHaveCount(0)
  expect(await whatArrived(email)).toEqual({ generations: 1, balance: 20 })
})

for (const { what, take, language, uploadList } of [
  { what: 'is silent', take: silenceUploads, language: 'id', uploadList: /^Unggahan: 1/ },
  { what: 'has no databases', take: removeDatabases, language: 'en', uploadList: /^Uploads: 1/ },
] as const) {
  test(`without a connection a picture waits in the page where the storage ${what}, and the page says so`, async ({
    page,
  }) => {
    const { email } = await createAccount(server, 'Dian')
    await page.addInitScript(take)
    await chooseAppearance(page, { theme: 'light', language })
    await openStudio(page, network, email)
    await network.disconnect()
    await submitPhoto(page)
    await expect(page.getByText(note[language])).toBeVisible()
    await page.getByRole('button', { name: uploadList }).tap()
    await expect(page.getByRole('dialog')).toContainText(note[language])
    await page.keyboard.press('Escape')

    // The browser asks before the page is left.
    const asked = page.waitForEvent('dialog')
    await page.close({ runBeforeUnload: true })
    expect((await asked).type()).toBe('beforeunload')
    await (await asked).dismiss()

    await network.reconnect()
    await expect.poll(async () => (await whatArrived(email)).generations).toBe(1)
    await expect(page.getByRole('button', { name: uploadList })).toHaveCount(0)
    expect(await whatArrived(email)).toEqual({ generations: 1, balance: 20 })
    // Arrived uploads are no reason to ask.
    const closed = page.waitForEvent('close')
    await page.close({ runBeforeUnload: true })
    await closed
  })
}

test('signing out removes a picture that waits in the page', async ({ page }) => {
  const { email } = await createAccount(server, 'Yanti')
  await page.addInitScript(silenceUploads)
  await openStudio(page, network, email)
  await network.disconnect()
  await submitPhoto(page)
  await expect(page.getByText(note.id)).toBeVisible()
  await navigateInApp(page, '/logout')
  const question = page.getByRole('dialog')
  await expect(question).toContainText('1 foto belum terkirim')
  await question.getByRole('button', { name: 'Hapus dan keluar' }).tap()
  await page.waitForURL(`${network.origin}/`)
  expect(await page.evaluate(() => localStorage.getItem('authToken'))).toBeNull()
  await expect(page.getByRole('button', { name: /^Unggahan/ })).toHaveCount(0)
  await network.reconnect()
  await signInOnDevice(page, network, email)
  await page.goto(`${network.origin}/history`)
  await expect(page.getByText('Belum ada gambar yang dibuat')).toBeVisible()
  expect(await whatArrived(email)).toEqual({ generations: 0, balance: 25 })
})
