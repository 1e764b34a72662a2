import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import sharp from 'sharp'
import type { CreditBalance } from '#features/credits/schemas.ts'
import type { GenerationView, PreviewView } from '#features/generations/schemas.ts'
import { compose } from '#tests/support/composites.ts'
import type { WorkerRequest } from '#tools/browser/worker-lane.ts'
import { toolContracts } from '#tools/contracts.ts'
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

/** Letters of a watermark are fainter than the subject. */
async function subjectOf(picture: Buffer): Promise<number[]> {
  const alpha = await sharp(picture).extractChannel('alpha').raw().toBuffer()
  return Array.from(alpha, (level) => (level > 127 ? 1 : 0))
}

/** By the built worker in this browser; null where it leaves the picture to the server. */
async function onDevice(page: Page, pictures: readonly Buffer[]): Promise<(Buffer | null)[]> {
  const worker = readdirSync(join(root, 'dist', 'assets', 'engine')).find((name) => /^engine-worker-.*\.js$/.test(name))
  const { parseParams } = toolContracts['background-removal']
  const parsed = parseParams({})
  const made = await page.evaluate(
    async ({ address, params, encoded }) => {
      const policy = window.trustedTypes?.createPolicy('test', { createScriptURL: (url) => url })
      const engine = new Worker(policy?.createScriptURL(address) as unknown as string, { type: 'module' })
      const results: (string | null)[] = []
      for (const [id, base64] of encoded.entries()) {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
        const inputs = { picture: [new Blob([bytes], { type: 'image/png' })], background: [], logo: [] }
        const { picture } = await new Promise<{ picture?: { blob: Blob } }>((resolve) => {
          engine.onmessage = ({ data }) => resolve(data)
          engine.postMessage({
            id,
            rehearsal: false,
            mayLoad: true,
            task: { tool: 'background-removal', inputs, names: {}, params, side: 640, key: String(id) },
          } satisfies WorkerRequest)
        })
        const letters =
          picture && Array.from(new Uint8Array(await picture.blob.arrayBuffer()), (code) => String.fromCharCode(code))
        results.push(letters ? btoa(letters.join('')) : null)
      }
      engine.terminate()
      return results
    },
    {
      address: `/assets/engine/${worker}`,
      params: parsed.ok ? parsed.params : null,
      encoded: pictures.map((picture) => picture.toString('base64')),
    },
  )
  return made.map((base64) => (base64 === null ? null : Buffer.from(base64, 'base64')))
}

async function onServer(png: Buffer): Promise<Buffer> {
  const body = new FormData()
  body.set('params', '{}')
  body.append('picture', new Blob([new Uint8Array(png)], { type: 'image/png' }), 'foto.png')
  const response = await fetch(`${server.origin}/api/tools/background-removal/preview`, { method: 'POST', body })
  const { outputs } = (await response.json()) as PreviewView
  return Buffer.from(outputs[0]?.data as string, 'base64')
}

const previewOf = (picture: string | Buffer) =>
  sharp(picture).resize(640, 640, { fit: 'inside', withoutEnlargement: true }).png().toBuffer()

test('the device cuts a person or thing out as the server does, and leaves groups and animals to the server', {
  tag: '@soak',
}, async ({ page }) => {
  await page.goto(`${server.origin}/theme.js`)
  const composites = [
    compose('studio', 600, 800, 1.1, 20),
    compose('tiles', 512, 512, 1, 0),
    compose('leaves', 800, 600, 1, 200),
  ]
  const alone = await Promise.all([
    ...['astronaut.jpg', 'grace_hopper.jpg', 'coffee.jpg', 'seeding.jpg'].map((name) => previewOf(photo(name))),
    ...composites.map(async (composite) => previewOf((await composite).png)),
  ])
  const others = await Promise.all(['group.jpg', 'chelsea.jpg', 'brick.jpg'].map((name) => previewOf(photo(name))))
  const made = await onDevice(page, [...alone, ...others])
  expect(made.slice(alone.length)).toEqual([null, null, null])
  for (const [index, picture] of alone.entries()) {
    const [device, own] = [await subjectOf(made[index] as Buffer), await subjectOf(await onServer(picture))]
    expect(device.length).toBe(own.length)
    const difference = device.reduce((sum, alpha, i) => sum + Math.abs(alpha - (own[i] as number)), 0) / own.length
    // The server's sample has its edges moved by some pixels.
    expect([index, difference < 0.04]).toEqual([index, true])
  }
})

test('an installed app has the engine before a picture is chosen, unless data saving is on', { tag: '@soak' }, async ({
  page,
}) => {
  // As iPhones report an installed app.
  await page.addInitScript(() => Object.defineProperty(navigator, 'standalone', { value: true }))
  await page.addInitScript(() => {
    const connection = {
      get saveData() {
        document.documentElement.dataset.askedForData = 'yes'
        return sessionStorage.saves === '1'
      },
      effectiveType: '4g',
      addEventListener() {},
    }
    Object.defineProperty(navigator, 'connection', { value: connection })
    window.Worker = class extends Worker {
      constructor(url: string | URL, options?: WorkerOptions) {
        super(url, options)
        document.documentElement.dataset.startedWorker = options?.name ?? ''
      }
    }
  })
  await page.goto(`${server.origin}/pricing`)
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  await page.evaluate(() => {
    sessionStorage.saves = '1'
  })
  await page.goto(`${server.origin}${studio}`)
  // After this check the app decides about starting the engine.
  await expect(page.locator('html[data-asked-for-data]')).toBeAttached()
  await expect(page.locator('html[data-started-worker]')).not.toBeAttached()
  expect(await keptFiles(page)).toBe(0)

  await page.evaluate(() => sessionStorage.removeItem('saves'))
  await page.reload()
  await expect(page.locator('html[data-started-worker="engine"]')).toBeAttached()
  await expect.poll(() => keptFiles(page)).toBe(4)
})
