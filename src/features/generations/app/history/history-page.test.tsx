import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import type { GenerationView } from '#features/generations/schemas.ts'
import { address, navigateInApp, openApp } from '#tests/support/components/open-app.tsx'
import { balanceOf, generationOf, inDays, pictureFile, sari } from '#tests/support/components/samples.ts'
import { replaceBy } from '#tests/support/components/screen.ts'
import type { ApiCall } from '#tests/support/components/stub-api.ts'
import { violations } from '#tests/support/components/violations.ts'
import { toolContracts } from '#tools/contracts.ts'

const tiles = page.getByRole('list', { name: 'Hasil' }).getByRole('listitem')
const more = page.getByRole('button', { name: 'Tampilkan lebih banyak' })
const tools = page.getByRole('combobox', { name: 'Saring menurut alat' })
const search = page.getByRole('searchbox', { name: 'Cari nama berkas atau alat' })
const dates = page.getByRole('combobox', { name: 'Saring menurut tanggal' })
const noSubject = { code: 'engine.noSubject', msg: 'Tidak ada objek yang ditemukan.' }

/** 21 results and, the latest, a failed generation. */
const all = (): GenerationView[] => [
  generationOf('gagal', { status: 'failed', error: noSubject }),
  ...Array.from({ length: 21 }, (_, index) =>
    generationOf(`h${index}`, { tool: index === 0 ? 'background-removal' : 'enhancement' }),
  ),
]

/** The list as the server gives it: filtered, in pages of twenty. */
const listOf =
  (generations: () => GenerationView[]) =>
  ({ query }: ApiCall) => {
    const [status, tool, from] = [query.get('status'), query.get('tool'), Number(query.get('cursor') ?? 0)]
    const found = generations().filter(
      (one) => (!status || one.status === status) && (!tool || one.tool === tool) && !query.has('search'),
    )
    const end = from + 20
    return { items: found.slice(from, end), nextCursor: end < found.length ? String(end) : null }
  }

const open = (path = '/history', generations = all()) =>
  openApp(path, {
    user: sari,
    api: {
      'GET /api/generations': listOf(() => generations),
      'GET /api/generations/*': ({ path: asked }: ApiCall) => generations.find(({ id }) => asked.endsWith(`/${id}`)),
    },
  })

it('shows a page, more on demand, and its filter lives in the address', async () => {
  const app = await open()
  await expect.element(tiles).toHaveLength(20)
  await more.click()
  await expect.element(tiles).toHaveLength(22)
  await expect.element(more).not.toBeInTheDocument()

  await page.getByRole('button', { name: 'Gagal', exact: true }).click()
  await expect.element(tiles).toHaveLength(1)
  await expect.element(tiles).toMatchTextContent('Kredit kembali')
  expect(await violations()).toEqual([])
  expect(address()).toBe('/history?status=failed')
  await app.reload()
  await expect.element(tiles).toHaveLength(1)

  await tiles.getByRole('button').first().click()
  await expect.element(page.getByText('5 kredit sudah kembali ke saldomu.')).toBeVisible()
  history.back()
  await expect.element(tiles).toHaveLength(1)
  await page.getByRole('button', { name: 'Dibatalkan', exact: true }).click()
  await expect.element(page.getByText('Tidak ada yang cocok')).toBeVisible()
  await page.getByRole('button', { name: 'Tampilkan semua' }).click()
  await expect.element(tiles.first()).toBeVisible()
  await tools.selectOptions('Hapus Latar')
  await expect.poll(address).toBe('/history?tool=background-removal')
})

it('names a tool filter that hides all results, and counts it among the filters', async () => {
  await open('/history?tool=photo-layout')
  await expect.element(page.getByText('Hanya Tata Letak Foto yang ditampilkan.')).toBeVisible()
  const whole = page.getByRole('button', { name: 'Semua', exact: true })
  await expect.element(whole).toHaveAttribute('aria-pressed', 'false')
  await whole.click()
  await expect.element(tiles).toHaveLength(20)
  await expect.element(whole).toHaveAttribute('aria-pressed', 'true')
  expect(address()).toBe('/history')
})

it('shows the head of a portrait in its square', async () => {
  // The head, red, is in the upper quarter of a picture twice as high as wide.
  const portrait =
    '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="200"><rect width="100" height="200" fill="#00f"/><rect y="26" width="100" height="22" fill="#f00"/></svg>'
  await open('/history', [generationOf('a', { thumbnailUrl: `data:image/svg+xml,${encodeURIComponent(portrait)}` })])
  await expect.element(tiles).toHaveLength(1)
  const picture = tiles.first().element().querySelector('img') as HTMLImageElement
  await picture.decode()
  const bitmap = new Image()
  bitmap.src = `data:image/png;base64,${await page.screenshot({ element: picture, save: false })}`
  await bitmap.decode()
  const context = new OffscreenCanvas(1, bitmap.height).getContext('2d') as OffscreenCanvasRenderingContext2D
  context.drawImage(bitmap, bitmap.width / 2, 0, 1, bitmap.height, 0, 0, 1, bitmap.height)
  const { data } = context.getImageData(0, 0, 1, bitmap.height)
  const red = Array.from({ length: bitmap.height }, (_, y) => (data[4 * y] as number) > 200)
  expect(red.filter(Boolean).length / bitmap.height).toBeGreaterThan(0.18)
})

it('searches by words, dates and the tools with that name, and shows the name of each tool', async () => {
  const { api } = await open()
  await expect.element(tiles.nth(1)).toMatchTextContent('Hapus Latar')
  await search.fill('  hapus ')
  await expect.poll(address).toBe('/history?search=hapus')
  await dates.selectOptions('7 hari terakhir')
  await expect.poll(address).toBe('/history?search=hapus&when=week')
  const asked = () => api.callsTo('GET /api/generations').at(-1)?.query
  await expect.poll(() => asked()?.get('from')).toBeTruthy()
  expect(asked()?.get('search')).toBe('hapus')
  expect(asked()?.get('named')?.split(',')).toEqual([
    'background-removal',
    'object-removal',
    'video-background-removal',
  ])
  const [from, to] = ['from', 'to'].map((name) => new Date(asked()?.get(name) ?? ''))
  expect([from?.getHours(), to?.getHours()]).toEqual([0, 23])
  expect(Number(to) - Number(from)).toBe(7 * 86_400_000 - 1)
  await dates.selectOptions('Pilih tanggal')
  await page.getByLabelText('Tanggal', { exact: true }).fill('2026-11-03')
  await expect.poll(() => asked()?.get('to')).toBe(new Date('2026-11-03T23:59:59.999').toISOString())
  await page.getByRole('button', { name: 'Tampilkan semua' }).click()
  await expect.element(tiles).toHaveLength(20)
  await expect.element(search).toHaveValue('')
  expect(address()).toBe('/history')
  expect(await violations()).toEqual([])
})

it('searches and filters the copy on the device without a connection', async () => {
  const { api } = await open()
  await expect.element(tiles).toHaveLength(20)
  api.setReachable(false)
  await search.fill('h5-in')
  await expect.element(tiles).toHaveLength(1)
  await expect.element(page.getByText('Kamu sedang offline.', { exact: false }).first()).toBeInTheDocument()
  await search.fill('gagal')
  await expect.element(tiles).toHaveLength(1)
  await search.fill('perbagus')
  await tools.selectOptions('Hapus Latar')
  await expect.element(page.getByText('Tidak ada yang cocok')).toBeVisible()
  await dates.selectOptions('Hari ini')
  await search.fill('')
  await expect.element(page.getByText('Tidak ada yang cocok')).toBeVisible()
  await dates.selectOptions('7 hari terakhir')
  await expect.element(tiles).toHaveLength(2)
})

it('filters only by tools that are offered', async () => {
  await open()
  const options = tools.getByRole('option')
  await expect.element(options.filter({ hasText: 'Hapus Latar' }).first()).toBeInTheDocument()
  // All but the draft, and a choice of all.
  expect(options.all()).toHaveLength(Object.keys(toolContracts).length)
  expect(options.filter({ hasText: 'Draf Instan AI' }).all()).toHaveLength(0)
})

it('announces a generation that ends elsewhere with its name, also over another photo of its tool', async () => {
  const { api, messages } = await openApp('/ai-enhancement', { user: sari })
  const ended = (id: string) => generationOf(id, { change: 2, finishedAt: inDays(0) })
  api.emit('generation', ended('satu'))
  await expect.poll(messages).toEqual(['Hapus Latar: Gambar berhasil dibuat'])
  navigateInApp('/ai-background-removal')
  await expect.element(page.getByRole('heading', { level: 1, name: 'Hapus Latar' })).toBeVisible()
  api.emit('generation', ended('dua'))
  await expect.poll(messages).toContain('Hasil lain: Gambar berhasil dibuat')
})

it('loads a further page, although events arrive and refetch the list', async () => {
  const further = Promise.withResolvers<void>()
  const { api } = await open()
  await expect.element(tiles).toHaveLength(20)
  const answer = listOf(all)
  api.serve({
    'GET /api/generations': async (call: ApiCall) => {
      if (call.query.has('cursor')) await further.promise
      return answer(call)
    },
  })
  await more.click()
  api.serve({ 'GET /api/user/myCredit': balanceOf(26) })
  api.emit('generation', generationOf('h3', { change: 2 }))
  api.emit('credits', { credits: 26 })
  await expect.element(page.getByRole('link', { name: 'Saldo: 26 kredit' })).toBeInTheDocument()
  further.resolve()
  await expect.element(tiles).toHaveLength(22)
})

it('shows the progress of a running generation, which turns into a result by itself', async () => {
  const generations = all()
  const { api } = await open('/history', generations)
  await expect.element(tiles).toHaveLength(20)
  generations.unshift(generationOf('baru', { status: 'generating', progress: 0.4, createdAt: inDays(0) }))
  api.emit('generation', generations[0])
  await expect.element(tiles.first().getByRole('button', { name: /^Diproses, / })).toBeVisible()
  generations[0] = generationOf('baru', { change: 2, createdAt: inDays(0), finishedAt: inDays(0) })
  api.emit('generation', generations[0])
  await expect.element(tiles.first().getByRole('button', { name: /^Selesai, / })).toBeVisible()
  await tiles.first().getByRole('button').click()
  await expect.poll(address).toContain('id=baru')
  await page.getByRole('button', { name: 'Pilihan lain' }).click()
  await expect.element(page.getByText('512 × 600')).toBeVisible()
  await page.getByRole('button', { name: 'Hapus hasil ini' }).click()
  await page.getByRole('button', { name: 'Jangan hapus' }).click()
  expect(api.callsTo('DELETE /api/generations/*')).toEqual([])
  await page.getByRole('button', { name: 'Riwayat' }).click()
  await expect.element(tiles.first()).toBeVisible()
})

it('shows generations made after the list was cached when it is opened again', async () => {
  const generations = all()
  await open('/history', generations)
  await expect.element(tiles).toHaveLength(20)
  navigateInApp('/ai-background-removal')
  await expect.element(page.getByRole('heading', { level: 1, name: 'Hapus Latar' })).toBeVisible()
  const made = generationOf('baru', { createdAt: inDays(0), thumbnailUrl: '/icons/icon-192.png' })
  generations.unshift(made)
  await page.getByRole('link', { name: 'Riwayat' }).first().click()
  await expect.poll(() => tiles.first().query()?.querySelector('img')?.getAttribute('src')).toBe(made.thumbnailUrl)
  await tiles.first().getByRole('button').click()
  await expect.poll(address).toContain('id=baru')
})

it('refunds a bad result once and marks it from then on', async () => {
  const generations = all()
  generations[1] = generationOf('h0', { finishedAt: inDays(0) })
  const app = await open('/history?id=h0', generations)
  const { api } = app
  await page.getByRole('button', { name: 'Pilihan lain' }).click()
  await page.getByRole('button', { name: 'Hasilnya kurang bagus?' }).click()
  const sheet = page.getByRole('dialog')
  const send = sheet.getByRole('button', { name: 'Minta kredit kembali' })
  await page.viewport(360, 640)
  await expect.element(send).toBeVisible()
  const bottom = (element: Element | null | undefined) => element?.getBoundingClientRect().bottom ?? 0
  const fromBelow = () => Math.round(bottom(send.element().closest('.modal-box')) - bottom(send.element()))
  const before = fromBelow()
  await send.click()
  await expect.element(sheet.getByText('Pilih alasannya dulu, ya.')).toBeVisible()
  expect(fromBelow()).toBe(before)
  await sheet.getByRole('radio', { name: 'Lainnya' }).click()
  await send.click()
  await expect.element(sheet.getByText('Ceritakan apa yang kurang, ya.')).toBeVisible()
  expect(fromBelow()).toBe(before)
  await expect.element(sheet.getByText('hasilnya dihapus: tidak bisa diunduh atau diubah lagi')).toBeVisible()
  await sheet.getByRole('textbox').fill('Warnanya jadi lain')
  expect(api.callsTo('POST /api/generations/*/claim')).toEqual([])
  api.serve({
    'POST /api/generations/*/claim': () => {
      generations[1] = generationOf('h0', {
        change: 2,
        outputs: [],
        refundRequest: { status: 'refunded', refunded: 5 },
      })
      return { status: 'refunded', refunded: 5, balance: 30 }
    },
    'GET /api/user/myCredit': balanceOf(30),
  })
  await send.click()
  await expect.element(page.getByText('Hasilnya sudah dihapus', { exact: true })).toBeVisible()
  await expect.element(page.getByText('5 kredit sudah kembali ke saldomu.')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Pilih foto lain' })).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Minta bantuan desainer' })).toBeVisible()
  expect(api.callsTo('POST /api/generations/*/claim')).toMatchObject([
    { body: { reason: 'Lainnya: Warnanya jadi lain' } },
  ])
  await expect.element(page.getByRole('button', { name: /^Unduh/ })).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Pilihan lain' }).click()
  await expect.element(page.getByText('5 kredit · sudah kembali')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Hasilnya kurang bagus?' })).not.toBeInTheDocument()
  await app.reload('/history')
  await expect.element(page.getByRole('link', { name: 'Saldo: 30 kredit' })).toBeInTheDocument()

  navigateInApp('/history?id=h0')
  await replaceBy(page.getByRole('button', { name: 'Pilih foto lain' }), await pictureFile(512, 600))
  await expect.poll(address).toBe('/ai-background-removal')
  await expect.element(page.getByRole('img', { name: 'Foto yang kamu pilih' })).toBeVisible()

  // The same photo and options again.
  navigateInApp('/history?id=h0')
  await page.getByRole('button', { name: 'Coba lagi dengan foto ini' }).click()
  await expect.poll(address).toBe('/ai-background-removal')
  await expect.element(page.getByRole('img', { name: 'Foto yang kamu pilih' })).toBeVisible()
})

it('repeats a failed generation from its tile, unless only another photo helps', async () => {
  const noFace = { code: 'engine.no_face', msg: 'Tidak ada wajah.' }
  await open('/history', [
    generationOf('wajah', { tool: 'passport-photo', status: 'failed', error: noFace }),
    generationOf('gagal', { status: 'failed', error: { code: 'engine.crashed', msg: 'Gagal.' } }),
  ])
  const again = page.getByRole('button', { name: /^Coba lagi: / })
  await expect.element(again).toHaveLength(1)
  await again.click()
  await expect.poll(address).toBe('/ai-background-removal')
})

it('asks a visitor to sign in', async () => {
  await openApp('/history')
  await expect.element(page.getByRole('heading', { name: 'Masuk untuk melihat hasilmu' })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Masuk' }).click()
  await expect.poll(address).toBe('/login')
})
