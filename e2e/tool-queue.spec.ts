import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import sharp from 'sharp'
import type { GenerationView } from '#features/generations/contract.ts'
import { type ToolId, toolContracts } from '#tools/contracts.ts'
import { api } from './support/account.ts'
import { test } from './support/app.ts'
import { chooseAppearance } from './support/appearance.ts'
import { touchOf } from './support/fingers.ts'
import { expectPictureStill, followPicture, shareSeen } from './support/picture-place.ts'
import { type BadNetwork, badNetwork } from './support/proxy.ts'
import { chooseFiles, openTool } from './support/tool.ts'

// The last of a run: each worker takes the next one.
test.describe.configure({ mode: 'parallel', timeout: 120_000 })
test.use({ serviceWorkers: 'allow', contextOptions: { reducedMotion: 'no-preference' } })

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

/** A finger drawn over the middle of the picture. */
async function mark(page: Page): Promise<void> {
  const box = (await page.getByRole('application').boundingBox())!
  const touch = await touchOf(page)
  const at = (x: number) => ({ x: box.x + x * box.width, y: box.y + box.height / 2 })
  await touch('touchStart', at(0.45))
  await touch('touchMove', at(0.5))
  await touch('touchMove', at(0.55))
  await touch('touchEnd')
}

/** Everybody in the pictures of a swap agrees. */
const agree = (page: Page) => page.getByRole('checkbox', { name: /^Everybody in these photos/ }).check()

/** A phone on which the picture has to keep its place through all states; upright they do so in the tests of each tool. */
const onItsSide = { width: 844, height: 390 }

interface Walk {
  id: ToolId
  action: string
  files: ReturnType<typeof photo>[]
  /** How many files come out; one unless said. */
  outputs?: number
  prepare?: (page: Page) => Promise<void>
  /** How many shapes are shown one after the other; the photo's alone unless said. */
  shapes?: number
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
  { id: 'headshot', action: 'Make a headshot', files: [photo('astronaut')], shapes: 2 },
  { id: 'cartoonizer', action: 'Make a cartoon', files: [photo('astronaut')] },
  { id: 'face-cutout', action: 'Cut out faces', files: [photo('group')], outputs: 3, shapes: 2 },
  { id: 'passport-photo', action: 'Make passport photo', files: [photo('astronaut')], shapes: 2 },
  { id: 'swap-face', action: 'Swap faces', files: [photo('grace_hopper'), photo('astronaut')], prepare: agree },
]

for (const { id, action, files, outputs = 1, prepare, shapes = 1 } of tools) {
  test(`what ${id} is to do waits while the server is gone and is done once it is back, in English`, async ({
    page,
    server,
  }) => {
    await chooseAppearance(page, { theme: 'dark', language: 'en' })
    const { route, needsConsent } = toolContracts[id]
    const token = await openTool(page, { ...server, origin: network.origin }, route, needsConsent)
    await page.setViewportSize(onItsSide)
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
    const agreed = needsConsent && page.waitForResponse((response) => response.url().endsWith('/api/user/consents'))
    await chooseFiles(page, await Promise.all(files), 'Choose a photo')
    await agreed
    const start = page.getByRole('button', { name: new RegExp(`^${action}`) })
    await expect(start).toBeVisible()
    await prepare?.(page)
    await followPicture(page)
    await network.disconnect()
    await start.tap()
    await expect(page.getByText('Waiting for a connection').first()).toBeVisible()

    await network.reconnect()
    await expect(page.getByRole('heading', { name: 'Image generated successfully' })).toBeVisible({ timeout: 60_000 })
    await expect(page.locator('.viewer')).not.toHaveAttribute('data-revealing')
    await expectPictureStill(page, { shapes })
    expect(await shareSeen(page)).toBeGreaterThanOrEqual(0.55)
    const { items } = await api<{ items: GenerationView[] }>(server, '/api/generations', { token })
    expect(items).toHaveLength(1)
    expect(items[0]).toMatchObject({ tool: id, status: 'succeeded' })
    expect(items[0]?.outputs).toHaveLength(outputs)
    const download = page.waitForEvent('download')
    await page
      .getByRole('button', { name: /^(Download|Save)/ })
      .first()
      .tap()
    expect((await download).suggestedFilename()).toMatch(outputs > 1 ? /\.zip$/ : /\.(png|jpg)$/)
  })
}
