import { expect } from '@playwright/test'
import { createAccount, navigateInApp, signInOnDevice } from './support/account.ts'
import { test } from './support/app.ts'
import { type BadNetwork, badNetwork } from './support/proxy.ts'
import { balanceOf, generationsOf, openStudio, submitPhoto } from './support/send-photo.ts'
import type { RunningServer } from './support/server.ts'

test.describe.configure({ mode: 'parallel' })
test.use({ serviceWorkers: 'allow' })
const note = 'Jangan tutup halaman ini: perangkat ini tidak bisa menyimpan unggahanmu.'

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

async function whatArrived(email: string): Promise<{ generations: number; balance: number }> {
  const generations = (await generationsOf(server, email)).length
  return { generations, balance: await balanceOf(server, email) }
}

test('where the storage does not respond a picture waits in the page, arrives once, and goes with signing out', async ({
  page,
}) => {
  const { email } = await createAccount(server, 'Dian')
  await page.addInitScript(silenceUploads)
  await openStudio(page, network, email)
  await network.disconnect()
  await submitPhoto(page)
  await expect(page.getByText(note)).toBeVisible()
  const uploads = page.getByRole('button', { name: /^Unggahan/ })
  await uploads.tap()
  await expect(page.getByRole('dialog')).toContainText(note)
  await page.keyboard.press('Escape')

  // The browser asks before the page is left.
  const asked = page.waitForEvent('dialog')
  await page.close({ runBeforeUnload: true })
  expect((await asked).type()).toBe('beforeunload')
  await (await asked).dismiss()

  await network.reconnect()
  await expect.poll(async () => (await whatArrived(email)).generations).toBe(1)
  await expect(uploads).toHaveCount(0)
  expect(await whatArrived(email)).toEqual({ generations: 1, balance: 20 })

  await openStudio(page, network, email)
  await network.disconnect()
  await submitPhoto(page)
  await expect(page.getByText(note)).toBeVisible()
  await navigateInApp(page, '/logout')
  const question = page.getByRole('dialog')
  await expect(question).toContainText('1 foto belum terkirim')
  await question.getByRole('button', { name: 'Hapus dan keluar' }).tap()
  await page.waitForURL(`${network.origin}/`)
  expect(await page.evaluate(() => localStorage.getItem('authToken'))).toBeNull()
  await expect(uploads).toHaveCount(0)
  await network.reconnect()
  await signInOnDevice(page, network, email)
  await page.goto(`${network.origin}/history`)
  await expect(page.getByRole('list', { name: 'Hasil' }).getByRole('button')).toHaveCount(1)
  expect(await whatArrived(email)).toEqual({ generations: 1, balance: 20 })
})
