import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { GenerationServer } from '#tests/support/components/generation-server.ts'
import { openApp } from '#tests/support/components/open-app.tsx'
import { generationOf, pictureFile, sari } from '#tests/support/components/samples.ts'
import { button, choose, drag, heading, replaceBy, savedFiles } from '#tests/support/components/screen.ts'
import type { ToolId } from '#tools/contracts.ts'

// Registered for component tests by a line in each registry (tests/support/two-pictures).
const tool = 'two-pictures' as ToolId
const text = (content: string | RegExp) => expect.element(page.getByText(content).first())

it('has the menu, the studio, the queue and the history for a new tool with two inputs and a stage', async () => {
  const server = new GenerationServer()
  const url = URL.createObjectURL(await pictureFile(320, 240))
  const outputs = ['Campuran', 'Bertanda', 'Kebalikan'].flatMap((label) =>
    generationOf(label, { size: [320, 240] }).outputs.map((output) => ({ ...output, label, url })),
  )
  server.outcome = { facts: { seed: 13 }, outputs }
  const app = await openApp('/', { user: sari, api: server.routes })
  await button('Alat').click()
  await page
    .getByRole('dialog')
    .getByRole('link', { name: /Dua Foto/ })
    .click()
  await expect.poll(() => location.pathname).toBe('/two-pictures')
  // The menu that was left for the tool stays closed on its page.
  history.back()
  await expect.element(heading).toHaveTextContent('Halo, Sari. Foto apa hari ini?')
  expect(page.getByRole('dialog').all()).toHaveLength(0)
  history.forward()

  await expect.element(button('Pilih foto')).toBeVisible()
  await choose(await pictureFile(320, 240, 'merah.png', '#d02020'))
  await expect.element(page.getByRole('region', { name: 'Foto pertama' }).getByRole('img')).toBeVisible()
  const start = button(/^Gabungkan/)
  await start.click()
  await text('Pilih dulu: Foto kedua').toBeVisible()
  await replaceBy(button('Pilih Foto kedua'), await pictureFile(320, 240, 'biru.png', '#2040d0'))
  await expect.element(page.getByRole('list', { name: 'Foto kedua' }).getByRole('img')).toBeVisible()

  await page.getByText('Kuas', { exact: true }).click()
  const area = page.getByRole('application')
  await expect.element(area).toBeVisible()
  await drag(area.element(), [0.1, 0.5], [0.42, 0.5], 8)
  await expect.element(button('Urungkan')).toBeEnabled()
  // Its own price counts the marks: 5 credits, one more than without.
  await expect.element(start).toMatchTextContent(/6 kredit/)

  app.api.setReachable(false)
  window.dispatchEvent(new Event('offline'))
  await start.click()
  await text('Menunggu koneksi').toBeVisible()
  app.api.setReachable(true)
  window.dispatchEvent(new Event('online'))
  const results = page.getByRole('list', { name: 'Semua hasil' })
  await expect.element(results.getByRole('button')).toHaveLength(3)
  await text('Nomor variasi 13').toBeVisible()
  expect(app.api.callsTo('POST /api/generations')).toMatchObject([
    {
      body: {
        tool,
        params: { mix: 0.5, strokes: [{ shape: 'line' }] },
        inputs: { first: [{ upload: expect.any(String) }], second: [{ upload: expect.any(String) }] },
      },
    },
  ])

  // Another option renders again for free.
  await page.getByRole('slider', { name: 'Campuran' }).fill('100')
  await expect.poll(() => server.generations[0]?.params.mix).toBe(1)
  const saved = savedFiles()
  await results.getByRole('button', { name: 'Bertanda' }).click()
  await button('Unduh PNG').click()
  await expect.poll(() => saved).toEqual([server.generations[0]?.outputs[1]?.name])
  await button('Unduh dalam format lain').click()
  await button('Unduh semua (ZIP)').click()
  await expect.poll(() => saved.at(-1)).toBe('two-pictures.zip')

  await button('Pilihan lain').click()
  await button('Pakai di alat lain').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Hapus Latar' }).click()
  await expect.element(page.getByRole('img', { name: 'Foto yang kamu pilih' })).toBeVisible()

  await app.reload(`/history?id=${server.generations[0]?.id}`)
  await expect.element(page.getByRole('slider', { name: 'Campuran' })).toHaveValue('100')
  await expect.element(results.getByRole('button')).toHaveLength(3)
})
