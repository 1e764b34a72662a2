import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import sharp from 'sharp'
import type { GenerationView } from '#features/generations/contract.ts'
import { api } from './support/account.ts'
import { test } from './support/app.ts'
import { chooseAppearance } from './support/appearance.ts'
import { touchOf } from './support/fingers.ts'
import { chooseFiles, openTool } from './support/tool.ts'

test.describe.configure({ timeout: 120_000 })

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

const tools = [
  {
    id: 'object-removal',
    route: '/ai-object-removal',
    action: 'Remove object',
    files: [photo('seeding')],
    outputs: 1,
    prepare: mark,
  },
  {
    id: 'background-diffusion',
    route: '/ai-background-diffusion',
    action: 'Make new background',
    files: [photo('coffee')],
    outputs: 4,
  },
  { id: 'enhancement', route: '/ai-enhancement', action: 'Enhance photo', files: [photo('chelsea')], outputs: 1 },
  {
    id: 'colorizer',
    route: '/ai-colorizer',
    action: 'Colour the photo',
    files: [photo('grace_hopper', true)],
    outputs: 3,
  },
  {
    id: 'photo-layout',
    route: '/photo-layout',
    action: 'Arrange photos',
    files: ['coffee', 'chelsea', 'brick', 'seeding'].map((name) => photo(name)),
    outputs: 1,
  },
]

for (const { id, route, action, files, outputs, prepare } of tools) {
  test(`what ${id} is to do waits while the server is gone and is done once it is back, in English`, async ({
    page,
    server,
  }) => {
    await chooseAppearance(page, { theme: 'dark', language: 'en' })
    const token = await openTool(page, server, route)
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
    await chooseFiles(page, await Promise.all(files), 'Choose a photo')
    const start = page.getByRole('button', { name: new RegExp(`^${action}`) })
    await expect(start).toBeVisible()
    await prepare?.(page)
    await server.stop()
    await start.tap()
    await expect(page.getByText('Waiting for a connection').first()).toBeVisible()

    await server.start()
    await expect(page.getByRole('heading', { name: 'Image generated successfully' })).toBeVisible({ timeout: 60_000 })
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
