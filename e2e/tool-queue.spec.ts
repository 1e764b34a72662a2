import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import sharp from 'sharp'
import type { GenerationView } from '#features/generations/schemas.ts'
import { consentVersions } from '#shared/consent.ts'
import { type ToolId, toolContracts } from '#tools/contracts.ts'
import { api, createAccount, navigateInApp, signInByApi } from './support/account.ts'
import { test } from './support/app.ts'
import { chooseAppearance } from './support/appearance.ts'
import { touchOf } from './support/fingers.ts'
import { expectPictureStill, followPicture, shareSeen } from './support/picture-position.ts'
import { type BadNetwork, badNetwork } from './support/proxy.ts'
import { adjustCredits } from './support/staff.ts'
import { chooseFiles } from './support/tool.ts'

test.describe.configure({ timeout: 600_000 })
test.use({ serviceWorkers: 'allow' })

let network: BadNetwork
test.beforeEach(async ({ server }) => {
  network = await badNetwork(server.port)
})
test.afterEach(() => network.close())

const photo = async (name: string, grey = false) => ({
  name: `${name}.png`,
  mimeType: 'image/png',
  buffer: await sharp(await readFile(join(import.meta.dirname, '..', 'tests', 'fixtures', 'photos', `${name}.jpg`)))
    .resize(360)
    .greyscale(grey)
    .png()
    .toBuffer(),
})

async function mark(page: Page): Promise<void> {
  const box = (await page.getByRole('application').boundingBox())!
  const touch = await touchOf(page)
  const at = (x: number) => ({ x: box.x + x * box.width, y: box.y + box.height / 2 })
  await touch('touchStart', at(0.45))
  await touch('touchMove', at(0.5))
  await touch('touchMove', at(0.55))
  await touch('touchEnd')
}

const agree = (page: Page) => page.getByRole('checkbox', { name: /^Everyone in these photos/ }).check()

/**
 * In landscape, pictures keep their position through all states; each tool's own tests cover
 * portrait.
 */
const onItsSide = { width: 844, height: 390 }

interface Walk {
  id: ToolId
  action: string
  files: ReturnType<typeof photo>[]
  /** 1 by default. */
  outputs?: number
  prepare?: (page: Page) => Promise<void>
  /** Name of the button that opens the chooser. */
  choose?: string
}

const tools: Walk[] = [
  { id: 'object-removal', action: 'Remove object', files: [photo('seeding')], prepare: mark },
  { id: 'background-diffusion', action: 'Make new background', files: [photo('coffee')], outputs: 4 },
  { id: 'enhancement', action: 'Enhance photo', files: [photo('chelsea')] },
  { id: 'colorizer', action: 'Colour the photo', files: [photo('grace_hopper', true)], outputs: 3 },
  {
    id: 'photo-layout',
    action: 'Arrange photos',
    files: ['coffee', 'chelsea', 'brick', 'seeding'].map((name) => photo(name)),
  },
  { id: 'headshot', action: 'Make a headshot', files: [photo('astronaut')] },
  { id: 'cartoonizer', action: 'Make a cartoon', files: [photo('astronaut')] },
  { id: 'face-cutout', action: 'Cut out faces', files: [photo('group')], outputs: 3 },
  { id: 'passport-photo', action: 'Make passport photo', files: [photo('astronaut')] },
  {
    id: 'swap-face',
    action: 'Swap faces',
    files: [photo('grace_hopper'), photo('astronaut')],
    prepare: agree,
    choose: 'Choose target photo',
  },
]

const startOf = (page: Page, { action }: Walk) => page.getByRole('button', { name: new RegExp(`^${action}`) })

async function fill(page: Page, walk: Walk): Promise<void> {
  await navigateInApp(page, toolContracts[walk.id].route)
  await chooseFiles(page, await Promise.all(walk.files), walk.choose ?? 'Choose a photo')
  await expect(startOf(page, walk)).toBeVisible()
  await walk.prepare?.(page)
}

async function send(page: Page, walk: Walk): Promise<void> {
  await navigateInApp(page, toolContracts[walk.id].route)
  await followPicture(page)
  await startOf(page, walk).tap()
  await expect(page.getByText('Waiting for a connection').first()).toBeVisible()
}

async function expectResult(page: Page, { id, outputs = 1 }: Walk): Promise<void> {
  await navigateInApp(page, toolContracts[id].route)
  await expect(page.getByRole('heading', { name: 'Image generated successfully' })).toBeVisible({ timeout: 300_000 })
  await expect(page.locator('.viewer')).not.toHaveAttribute('data-revealing')
  await expectPictureStill(page)
  expect(await shareSeen(page)).toBeGreaterThanOrEqual(0.55)
  if (outputs > 1) await page.getByRole('button', { name: 'Download in another format' }).tap()
  const download = page.waitForEvent('download')
  await page
    .getByRole('button', { name: outputs > 1 ? 'Download all (ZIP)' : /^(Download|Save)/ })
    .first()
    .tap()
  expect((await download).suggestedFilename()).toMatch(outputs > 1 ? /\.zip$/ : /\.(png|jpg)$/)
}

test('generations of ten tools wait while the server is gone and run exactly once when it is back, in English', {
  tag: '@soak',
}, async ({ page, server }) => {
  await chooseAppearance(page, { theme: 'dark', language: 'en' })
  const { email } = await createAccount(server, 'Sari')
  const token = await signInByApi(server, email)
  await adjustCredits(server, token, 200)
  await api(server, '/api/user/consents', { token, json: { kind: 'biometric', version: consentVersions.biometric } })
  await page.addInitScript((held) => localStorage.setItem('authToken', held), token)
  await page.setViewportSize(onItsSide)
  await page.goto(`${network.origin}/pricing`)
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)

  // Offline, only consents received earlier are known.
  const consents = page.waitForResponse((response) => response.url().endsWith('/api/user/consents') && response.ok())
  for (const walk of tools) await test.step(`${walk.id} gets its pictures`, () => fill(page, walk))
  await (await consents).finished()
  await network.disconnect()
  for (const walk of tools) await test.step(`${walk.id} waits`, () => send(page, walk))
  await network.reconnect()
  for (const walk of tools) await test.step(`${walk.id} is done`, () => expectResult(page, walk))

  const { items } = await api<{ items: GenerationView[] }>(server, '/api/generations', { token })
  const made = items.map(({ tool, status, outputs }) => [tool, status, outputs.length])
  expect(made.sort()).toEqual(tools.map(({ id, outputs = 1 }) => [id, 'succeeded', outputs]).sort())
})
