import { join } from 'node:path'
import { expect } from '@playwright/test'
import type { CreditBalance } from '#features/credits/schemas.ts'
import type { GenerationView } from '#features/generations/schemas.ts'
import { api, createAccount, password, signInByApi } from './support/account.ts'
import { test } from './support/app.ts'
import { type BadNetwork, badNetwork } from './support/proxy.ts'
import { hasWebKit, WebKit } from './support/webkit.ts'

// WebKitGTK is the closest to iPhones' browser on Linux.
test.skip(!hasWebKit, 'needs the Debian packages webkit2gtk-driver and xvfb')

const photo = join(import.meta.dirname, '..', 'src', 'features', 'generations', 'app', 'samples', 'coffee.webp')

let network: BadNetwork
let webkit: WebKit
test.beforeAll(async ({ server }) => {
  network = await badNetwork(server.port)
  webkit = await WebKit.start()
})
test.afterAll(async () => {
  await webkit?.close()
  await network?.close()
})

test('in WebKit a user signs in, makes a picture, and a picture sent offline arrives once when the network is back', async ({
  server,
}) => {
  const { driver } = webkit
  const { email } = await createAccount(server, 'Wati')
  const token = await signInByApi(server, email)
  const generations = async () => (await api<{ items: GenerationView[] }>(server, '/api/generations', { token })).items
  const succeeded = async () => (await generations()).filter(({ status }) => status === 'succeeded').length
  const choosePhoto = async () => {
    const [input] = await driver.findElements({ css: 'input[type="file"]:not([capture])' })
    await input?.sendKeys(photo)
    await webkit.pressAway('5 kredit')
  }

  await webkit.open(`${network.origin}/login`)
  await (await webkit.find('input[type="email"]')).sendKeys(email)
  await (await webkit.find('input[type="password"]')).sendKeys(password)
  await webkit.press('Masuk')
  await expect.poll(() => driver.getCurrentUrl(), { timeout: 40_000 }).not.toContain('/login')
  const controlled = 'return navigator.serviceWorker.controller !== null'
  await expect.poll(() => driver.executeScript(controlled)).toBe(true)

  // Full page loads used to leave WebKit's databases hanging.
  for (const path of ['/history', '/ai-background-removal', '/history', '/ai-background-removal'])
    await webkit.open(network.origin + path)
  await webkit.sees('Pilih foto')
  await choosePhoto()
  await expect.poll(succeeded).toBe(1)
  await webkit.open(`${network.origin}/history`)
  await webkit.find('main img')

  await network.disconnect()
  await webkit.open(`${network.origin}/ai-background-removal`)
  await webkit.sees('Pilih foto')
  await choosePhoto()
  await webkit.sees('Menunggu koneksi')
  await webkit.open(`${network.origin}/history`)
  await webkit.find('main img')

  await network.reconnect()
  await expect.poll(succeeded).toBe(2)
  expect(await generations()).toHaveLength(2)
  expect((await api<CreditBalance>(server, '/api/user/myCredit', { token })).credits).toBe(15)
  await expect.poll(() => driver.executeScript('return document.querySelectorAll("main img").length')).toBe(2)
})
