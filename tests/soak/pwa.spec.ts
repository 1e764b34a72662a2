import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { test } from '../../e2e/support/app.ts'
import { type BadNetwork, badNetwork } from '../../e2e/support/proxy.ts'
import type { RunningServer } from '../../e2e/support/server.ts'
import { makeClip } from '../support/clips.ts'

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

interface SharedFile {
  name: string
  bytes: Uint8Array
}

const photos = join(import.meta.dirname, '..', 'fixtures', 'photos')
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

test('a picture shared offline reaches the chosen tool', async ({ page }) => {
  await page.goto(network.origin)
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  await closeApp(page, network.origin)
  await network.close()
  const threePhotos = await Promise.all(['coffee.jpg', 'chelsea.jpg', 'rocket.jpg'].map(photo))
  const clip = await makeClip({ width: 240, height: 320, seconds: 1.2, frameRate: 10 })

  // A single tool accepts clips.
  await share(page, [{ name: 'liburan.mp4', bytes: clip.bytes }])
  await page.waitForURL(`${network.origin}/ai-video-background-removal`)
  await expect(page.getByRole('button', { name: 'Ganti video' })).toBeVisible()

  await closeApp(page, network.origin)
  await share(page, threePhotos)
  await page.waitForURL(/\/open-with\?shared=\d+$/)
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
