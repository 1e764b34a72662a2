import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { GenerationServer } from '#tests/support/components/generation-server.ts'
import { desktop, openApp } from '#tests/support/components/open-app.tsx'
import { generationOf, pictureFile, sari } from '#tests/support/components/samples.ts'
import { choose } from '#tests/support/components/screen.ts'

const rectOf = (element: Element | null) => (element as Element).getBoundingClientRect()

it('leaves the names of drawing styles whole in a wide window', async () => {
  await openApp('/ai-cartoonizer', { user: sari, size: desktop, language: 'en' })
  const style = page.getByRole('button', { name: 'Watercolour' })
  await expect.element(style).toBeVisible()
  const range = document.createRange()
  range.selectNodeContents(style.element().lastElementChild as Element)
  expect(new Set([...range.getClientRects()].map(({ top }) => top)).size).toBe(1)
})

it.each([
  ['headshot', { backdrop: 'workshop' }, 'Latar headshot'],
  ['passport-photo', { preset: 'snpmb' }, 'Keperluan'],
] as const)('shows the chosen entry of a long row: %s', async (tool, params, label) => {
  const server = new GenerationServer()
  const made = generationOf('a', { tool })
  server.generations = [{ ...made, params: { ...made.params, ...params } }]
  await openApp('/history?id=a', { user: sari, size: [360, 640], api: server.routes })
  const row = page.getByRole('group', { name: label })
  await expect.element(row).toBeVisible()
  const chosen = () => rectOf(row.element().querySelector('[aria-pressed=true]'))
  await expect.poll(() => chosen().right).toBeLessThanOrEqual(360)
  expect(chosen().left).toBeGreaterThanOrEqual(0)
  // A user who looks at the others is left there.
  row.element().scrollLeft = 0
  await new Promise(requestAnimationFrame)
  expect(row.element().scrollLeft).toBe(0)
})

it('keeps the sign of being offline clear of the titles of two inputs', async () => {
  const { api } = await openApp('/ai-swap-face', { user: sari, api: new GenerationServer().routes })
  await choose(await pictureFile(512, 600))
  const title = page.getByRole('heading', { name: /^Foto tujuan/ })
  await expect.element(title).toBeVisible()
  api.setReachable(false)
  window.dispatchEvent(new Event('offline'))
  await expect.poll(() => document.querySelector('.studio-offline')).not.toBeNull()
  expect(rectOf(title.element()).top).toBeGreaterThanOrEqual(rectOf(document.querySelector('.studio-offline')).bottom)
})
