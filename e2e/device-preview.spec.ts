import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import type { CreditBalance } from '#features/credits/schemas.ts'
import type { GenerationView } from '#features/generations/schemas.ts'
import { api, createAccount, signInByApi, signInOnDevice } from './support/account.ts'
import { test } from './support/app.ts'
import { badNetwork } from './support/proxy.ts'
import type { RunningServer } from './support/server.ts'

const root = join(import.meta.dirname, '..')
const photo = (name: string) => join(root, 'tests', 'fixtures', 'photos', name)
const cup = photo('coffee.jpg')
const studio = '/ai-background-removal'

let server: RunningServer

test.use({ runsEngine: true, serviceWorkers: 'allow' })
test.beforeAll(({ server: running }) => {
  server = running
})

const keptFiles = (page: Page) => page.evaluate(async () => (await (await caches.open('rupa-engine')).keys()).length)

async function chooseCup(page: Page): Promise<void> {
  await page.locator('input[type="file"]:not([capture])').first().setInputFiles(cup)
  await expect(page.getByRole('button', { name: /5 kredit/ })).toBeVisible()
}

test('a thing is cut out on the device while the server is gone, and arrives once when it is back', async ({
  page,
}) => {
  const { email } = await createAccount(server, 'Ratna')
  const network = await badNetwork(server.port)
  await signInOnDevice(page, network, email)
  await page.goto(`${network.origin}${studio}`)
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  expect(await keptFiles(page)).toBe(0)
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Pilih foto' }).tap()
  await chooser
  // The engine and its network load while the first picture is being chosen.
  await expect.poll(() => keptFiles(page)).toBe(4)

  await network.disconnect()
  await page.reload()
  await chooseCup(page)
  await page.getByRole('button', { name: /5 kredit/ }).tap()
  await expect(page.getByText('Pratinjau di perangkat ini')).toBeVisible()
  await expect(page.getByText('Menunggu koneksi').first()).toBeVisible()

  await network.reconnect()
  await expect(page.getByText('Hasil siap')).toBeAttached()
  await expect(page.getByText('Pratinjau di perangkat ini')).toHaveCount(0)
  const token = await signInByApi(server, email)
  expect((await api<{ items: GenerationView[] }>(server, '/api/generations', { token })).items).toHaveLength(1)
  expect((await api<CreditBalance>(server, '/api/user/myCredit', { token })).credits).toBe(20)
  await network.close()
})
