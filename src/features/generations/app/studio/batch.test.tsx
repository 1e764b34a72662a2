import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { GenerationServer } from '#tests/support/components/generation-server.ts'
import { openApp } from '#tests/support/components/open-app.tsx'
import { generationOf, pictureFile, sari } from '#tests/support/components/samples.ts'
import { button, choose, savedFiles } from '#tests/support/components/screen.ts'
import { type ApiCall, refusal } from '#tests/support/components/stub-api.ts'

it('runs several pictures of the first page with the same options, and saves the results as one ZIP', async () => {
  const server = new GenerationServer()
  const { api } = await openApp('/', { user: sari, api: server.routes })
  const [one, two, three] = await Promise.all(
    ['#a86f4b', '#4b6fa8', '#6fa84b'].map((colour) => pictureFile(300, 300, `${colour}.png`, colour)),
  )
  await choose(one as File, two as File, three as File)
  const start = button(/^Hapus latar/)
  await expect.element(start).toMatchTextContent(/Hapus latar 3 foto.*15 kredit/)
  await button('Buang foto 3').click()
  const url = URL.createObjectURL(await pictureFile(300, 300))
  server.outcome = { outputs: generationOf('x', { size: [300, 300] }).outputs.map((output) => ({ ...output, url })) }
  await start.click()
  await expect.element(button(/^Selesai/)).toHaveLength(2)
  expect(server.credits).toBe(15)
  const bodies = api.callsTo('POST /api/generations').map(({ body }) => body as { params: object })
  expect(bodies).toHaveLength(2)
  expect(bodies[0]?.params).toEqual(bodies[1]?.params)
  const saved = savedFiles()
  await button('Unduh semua (ZIP)').click()
  await expect.poll(() => saved).toEqual(['background-removal.zip'])
  await button(/^Selesai/)
    .first()
    .click()
  await expect.element(page.getByRole('heading', { name: 'Gambar berhasil dibuat' })).toBeVisible()
})

it('processes as many pictures of a batch as the credits pay, and keeps the others', async () => {
  const server = new GenerationServer()
  server.credits = 12
  await openApp('/ai-background-removal', { user: sari, api: server.routes })
  const photos = ['#a86f4b', '#4b6fa8', '#6fa84b'].map((colour) => pictureFile(300, 300, `${colour}.png`, colour))
  await choose(...(await Promise.all(photos)))
  await expect.element(page.getByText('Kurang 3 kredit')).toBeVisible()
  await button('Proses 2 sekarang').click()
  await expect.element(button(/^Selesai/)).toHaveLength(2)
  expect(server.generations).toHaveLength(2)
  expect(server.credits).toBe(2)
  await expect.element(page.getByText('1 foto belum diproses')).toBeVisible()
  await page.getByRole('button', { name: 'Lanjutkan', exact: true }).click()
  await expect.element(page.getByRole('img', { name: 'Foto yang kamu pilih' })).toBeVisible()
  await expect.element(page.getByText('Kurang 3 kredit: butuh 5, saldomu 2.')).toBeVisible()
})

it('tells why one picture of a batch was refused and leads to it, and saves the others', async () => {
  const server = new GenerationServer()
  const create = server.routes['POST /api/generations'] as (call: ApiCall) => unknown
  let calls = 0
  await openApp('/ai-background-removal', {
    user: sari,
    api: {
      ...server.routes,
      'POST /api/generations': (call: ApiCall) => {
        calls += 1
        return calls === 2 ? refusal(422, 'engine.subject_unsure', 'Tandai yang mau disimpan') : create(call)
      },
    },
  })
  const photos = ['#a86f4b', '#4b6fa8', '#6fa84b'].map((colour) => pictureFile(300, 300, `${colour}.png`, colour))
  await choose(...(await Promise.all(photos)))
  await button(/^Hapus latar/).click()
  await expect.element(button(/^Selesai/)).toHaveLength(2)
  await expect.element(button('Unduh semua (ZIP)')).toBeVisible()
  await button(/Ditolak.*Tandai yang mau disimpan/).click()
  await expect.element(page.getByRole('dialog').getByText('Tandai yang mau disimpan')).toBeVisible()
})
