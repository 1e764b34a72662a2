import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { GenerationServer } from '#tests/support/components/generation-server.ts'
import { address, desktop, openApp } from '#tests/support/components/open-app.tsx'
import { pictureFile, sari, tools } from '#tests/support/components/samples.ts'
import { button, choose, replaceBy } from '#tests/support/components/screen.ts'
import type { ApiCall } from '#tests/support/components/stub-api.ts'
import type { PhotoCheckView } from '#tools/contract/schemas.ts'

const text = (content: string | RegExp) => expect.element(page.getByText(content).first())
const consented = {
  items: [{ kind: 'biometric', version: '2026-11', givenAt: '2026-11-01T00:00:00.000Z', withdrawnAt: null }],
  current: { biometric: '2026-11', remote: '2026-11' },
}
const noFace = { code: 'engine.no_face', msg: 'Kami tidak menemukan wajah di foto ini.' }
const clean: PhotoCheckView = { credits: 5, facts: {}, faces: [], warnings: [], problems: [], checks: [] }

it('moves no options by findings of the photo check, wide or on a phone', async () => {
  const found = Promise.withResolvers<PhotoCheckView>()
  const server = new GenerationServer()
  await openApp('/passport-photo', {
    user: sari,
    size: desktop,
    api: { ...server.routes, 'GET /api/user/consents': consented, 'POST /api/tools/*/check': () => found.promise },
  })
  await choose(await pictureFile(512, 600))
  const start = button(/^Buat pasfoto/)
  const regions = ['Ukuran', 'Latar', 'Cetak'].map((name) => page.getByRole('region', { name, exact: true }))
  // The empty screen has the same options elsewhere.
  await expect.poll(() => document.querySelector('.studio-layout')).not.toBeNull()
  for (const part of [...regions, start]) await expect.element(part).toBeVisible()
  const places = () => [...regions, start].map((part) => JSON.stringify(part.element().getBoundingClientRect()))
  await page.viewport(390, 844)
  const tabs = () => ['Latar', 'Cetak', 'Periksa'].map((name) => button(name).element().getBoundingClientRect().left)
  const tabsBefore = tabs()
  await page.viewport(...desktop)
  await expect.element(start).toBeVisible()
  const before = places()
  found.resolve({
    ...clean,
    warnings: [{ code: 'passport.glasses', msg: 'Kacamata bisa memengaruhi hasilnya.' }],
    checks: Array.from({ length: 12 }, (_, index) => ({
      code: `passport.${index}`,
      msg: 'Kepala',
      status: 'ok',
      measured: 0.5,
      wanted: { min: 0.46, max: 0.58 },
    })),
  })
  const list = page.getByRole('list', { name: 'Hasil pemeriksaan' })
  await expect.element(list).toBeVisible()
  await expect.element(page.getByText('Kacamata bisa memengaruhi hasilnya.')).toBeInViewport()
  expect(places()).toEqual(before)
  await page.viewport(390, 844)
  expect(tabs()).toEqual(tabsBefore)
  await page.viewport(844, 390)
  await button('Periksa').click()
  await expect.element(list.getByRole('listitem').last()).toBeInViewport({ ratio: 1 })
})

it('shows problems whole on a phone, and says once that they cost no credits', async () => {
  const free = 'Tidak ada kredit yang terpakai.'
  const long = 'Wajah terlalu menoleh, jadi pakai foto yang menghadap kamera.'
  const problems = ['Wajah terlalu gelap.', long].map((msg, index) => ({
    path: 'picture',
    code: `engine.problem_${index}`,
    msg: `${msg} ${free}`,
  }))
  await openApp('/passport-photo', {
    user: sari,
    api: {
      ...new GenerationServer().routes,
      'GET /api/user/consents': consented,
      'POST /api/tools/*/check': { ...clean, problems },
    },
  })
  await choose(await pictureFile(512, 600))
  await text(/^Wajah terlalu gelap\.$/).toBeVisible()
  const whole = page.getByText(`${long} ${free}`)
  await expect.element(whole).toBeVisible()
  expect(whole.element().scrollWidth).toBeLessThanOrEqual(whole.element().clientWidth)
  expect(page.getByText(free).all()).toHaveLength(1)
})

it('chooses a size that fits by its name, and shows at once that a refusal is being checked again', async () => {
  // The photo ends below the neck.
  const cuts = Array.from({ length: 21 }, (_, index) => [300 + 30 * index, 900]).flat()
  const centre = { x: 600, y: 600 }
  const portrait = { width: 1200, height: 1600, centre, roll: 0, eyesToChin: 200, eyesToCrown: 250, cuts }
  const refusal = { path: 'picture', code: 'engine.shoulders_missing', msg: 'Bahunya tidak kelihatan.' }
  const checked = Promise.withResolvers<PhotoCheckView>()
  await openApp('/passport-photo', {
    user: sari,
    size: [360, 640],
    api: {
      ...new GenerationServer().routes,
      'GET /api/user/consents': consented,
      'POST /api/tools/*/check': ({ body }: ApiCall) =>
        JSON.stringify(body).includes('"4x6"')
          ? { ...clean, facts: { portrait }, problems: [refusal] }
          : checked.promise,
    },
  })
  await choose(await pictureFile(512, 600))
  const refused = page.getByText('Bahunya tidak kelihatan.')
  await expect.element(refused).toBeVisible()
  const fitting = page.getByRole('group', { name: 'Foto ini cukup untuk' }).getByRole('button')
  const name = fitting.first().element().textContent
  await fitting.first().click()
  await expect.element(refused).not.toBeVisible()
  await text('Diperiksa lagi dengan pilihan barumu…').toBeVisible()
  const size = page.getByRole('group', { name: 'Keperluan' }).getByRole('button', { name, exact: true })
  await expect.element(size).toHaveAttribute('aria-pressed', 'true')
  await expect.element(size).toHaveFocus()
  checked.resolve(clean)
  await expect.element(button(/^Buat pasfoto/)).toBeVisible()
  await expect.element(refused).not.toBeInTheDocument()
})

it.each([
  ['starts by itself once the check of a corrected prompt has answered', clean, 1],
  ['starts nothing if the corrected prompt is refused as well', { problems: ['Lobi itu juga belum bisa.'] }, 0],
] as const)('%s', async (_, answer, started) => {
  const server = new GenerationServer()
  const refused = (msg: string): PhotoCheckView => ({
    ...clean,
    problems: [{ path: 'prompt', code: 'tool.scene_unknown', msg }],
  })
  const checked = Promise.withResolvers<PhotoCheckView>()
  const { messages } = await openApp('/ai-background-diffusion', {
    user: sari,
    api: {
      ...server.routes,
      'POST /api/tools/*/check': ({ body }: ApiCall) =>
        JSON.stringify(body).includes('masjid') ? refused('Latar itu belum bisa kami buat.') : checked.promise,
    },
  })
  await choose(await pictureFile(512, 600))
  const prompt = page.getByRole('textbox', { name: 'Suasana yang kamu mau' })
  await prompt.fill('di depan masjid')
  await text('Latar itu belum bisa kami buat.').toBeVisible()
  await prompt.fill('lobi hotel')
  const start = button(/^Buat latar baru/)
  await start.click()
  await text('Diperiksa lagi dengan pilihan barumu…').toBeVisible()
  await expect.element(start).toHaveAttribute('aria-busy', 'true')
  expect(messages()).toEqual(['Masih diperiksa dengan pilihan barumu. Begitu cocok, langsung dimulai.'])
  expect(server.generations).toEqual([])
  checked.resolve('credits' in answer ? answer : refused(answer.problems[0]))
  if (started) await expect.poll(() => server.generations[0]?.params).toMatchObject({ prompt: 'lobi hotel' })
  else {
    await text('Lobi itu juga belum bisa.').toBeVisible()
    await expect.element(start).not.toHaveAttribute('aria-busy')
  }
  expect(server.generations).toHaveLength(started)
})

it('offers only another photo for one without a face, whether the check or the generation finds none', async () => {
  const server = new GenerationServer()
  server.outcome = {
    status: 'failed',
    error: { code: 'engine.no_face', msg: 'Tidak ada wajah. Tidak ada kredit yang terpakai.' },
    outputs: [],
  }
  let answer: PhotoCheckView = { ...clean, problems: [{ path: 'picture', ...noFace }] }
  const app = await openApp('/passport-photo', {
    user: sari,
    size: [360, 640],
    api: {
      ...server.routes,
      'GET /api/user/consents': { ...consented, items: [] },
      'POST /api/user/consents': Response.json({}, { status: 201 }),
      'POST /api/tools/*/check': () => answer,
    },
  })
  // Without consent there is no check: the generation fails, and only another photo helps.
  await choose(await pictureFile(512, 600))
  const start = button(/^Buat pasfoto/)
  await start.click()
  await expect.element(button('Saya setuju')).toBeInViewport({ ratio: 1 })
  await button('Saya setuju').click()
  await text('5 kredit sudah kembali ke saldomu.').toBeVisible()
  await text(/Tidak ada kredit yang terpakai/).not.toBeInTheDocument()
  await expect.element(button('Ubah pilihannya')).not.toBeInTheDocument()
  await expect.element(button('Pilih foto lain')).toBeInViewport({ ratio: 1 })
  app.api.serve({ 'GET /api/user/consents': consented })
  await replaceBy(button('Pilih foto lain'), await pictureFile(512, 600))
  await text('Kami tidak menemukan wajah di foto ini.').toBeVisible()
  await expect.element(start).not.toBeInTheDocument()
  answer = clean
  await replaceBy(button('Ganti foto').last(), await pictureFile(500, 600))
  await expect.element(start).toBeVisible()
  expect(server.generations).toHaveLength(1)

  // The English interface has no Indonesian text.
  await expect.element(page.getByText('Tepat 40 × 60 mm, 300 dpi.')).toBeInTheDocument()
  // A size that explains itself names no source.
  expect(page.getByText('Sumber:').all()).toHaveLength(0)
  localStorage.setItem('language', 'en')
  await app.reload()
  await expect.element(page.getByText('Exactly 40 × 60 mm, 300 dpi.')).toBeInTheDocument()
})

it('replaces a photo that has no face to give alone, by the one button', async () => {
  const face = (x: number) => ({ input: 'target', position: 0, box: { x, y: 20, width: 60, height: 60 }, points: [] })
  const given = { input: 'faces', position: 0, box: { x: 20, y: 20, width: 60, height: 60 }, points: [] }
  const onTarget: PhotoCheckView = { ...clean, faces: [face(20), face(200)], problems: [{ path: 'faces', ...noFace }] }
  let answer = onTarget
  await openApp('/ai-swap-face', {
    user: sari,
    api: {
      ...new GenerationServer().routes,
      'GET /api/user/consents': consented,
      'POST /api/tools/*/check': () => answer,
    },
  })
  await choose(await pictureFile(512, 400, 'group.png'), await pictureFile(300, 300, 'cat.png', '#4b6fa8'))
  const change = button('Ganti foto · Wajah baru')
  await expect.element(change).toBeVisible()
  await expect.element(button(/^Tukar wajah/)).not.toBeInTheDocument()
  answer = { ...onTarget, faces: [...onTarget.faces, given], problems: [] }
  await replaceBy(change, await pictureFile(300, 320, 'hopper.png', '#6fa84b'))
  await expect.element(button(/^Tukar wajah/)).toBeVisible()
  await expect.element(page.getByText(/Ketuk dulu wajah yang mau diganti/)).toBeVisible()
  await page.getByRole('group', { name: 'Wajah yang diganti' }).getByRole('button').first().click()
  await expect.element(page.getByText(/Ketuk dulu wajah yang mau diganti/)).not.toBeInTheDocument()
  const pictures = (name: string) => page.getByRole('list', { name }).getByRole('img')
  await expect.element(pictures('Wajah baru')).toHaveLength(1)
  await expect.element(pictures('Wajah baru')).toHaveAttribute('alt', 'hopper.png')
  await expect.element(pictures('Tujuan')).toHaveAttribute('alt', 'group.png')

  // Another target keeps the new face; both can change roles, and either can be removed.
  await replaceBy(button('Ganti foto').first(), await pictureFile(320, 300, 'beach.png', '#806fa8'))
  await expect.element(pictures('Tujuan')).toHaveAttribute('alt', 'beach.png')
  await expect.element(pictures('Wajah baru')).toHaveAttribute('alt', 'hopper.png')
  await page.viewport(360, 640)
  await expect.element(button('Tukar peran')).toBeInViewport({ ratio: 1 })
  await button('Tukar peran').click()
  await expect.element(pictures('Tujuan')).toHaveAttribute('alt', 'hopper.png')
  await expect.element(pictures('Wajah baru')).toHaveAttribute('alt', 'beach.png')
  await button('Buang Wajah baru 1').click()
  await expect.element(button('Tukar peran')).not.toBeInTheDocument()
  await expect.element(button('Pilih Wajah baru')).toBeVisible()
})

it('sends nothing to an outside service before the user agrees and learns the recipient', async () => {
  const server = new GenerationServer()
  let items = consented.items
  const { api } = await openApp('/ai-cartoonizer', {
    user: sari,
    credits: 40,
    api: {
      ...server.routes,
      'GET /api/tools': {
        items: tools.map((tool) =>
          tool.id === 'cartoonizer' ? { ...tool, others: ['cartoon'], remote: { cartoon: 'fal.ai' } } : tool,
        ),
      },
      'GET /api/user/consents': () => ({ ...consented, items }),
      'POST /api/user/consents': ({ body }: ApiCall) => {
        items = [
          ...items,
          { ...(body as { kind: string; version: string }), givenAt: '', withdrawnAt: null },
        ] as typeof items
        return Response.json({}, { status: 201 })
      },
    },
  })
  await choose(await pictureFile(512, 600))
  await button('Gambar ulang').click()
  await page.getByText('Tanah liat').click()
  // A provider's result cannot be previewed.
  expect(page.getByRole('img', { name: 'Pratinjau hasil' }).all()).toHaveLength(0)
  const make = button(/^Jadikan kartun/)
  await expect.element(make).toMatchTextContent(/· \d+ kredit/)
  const price = Number(/(\d+) kredit/.exec(make.element().textContent)?.[1])
  await make.click()
  const question = page.getByRole('dialog', { name: 'Boleh fotomu dikirim ke layanan AI luar?' })
  await expect.element(question).toMatchTextContent('fal.ai')
  await button('Tidak setuju').click()
  await expect.element(make).toBeVisible()
  expect(api.callsTo('POST /api/generations')).toEqual([])
  await make.click()
  await button('Saya setuju').click()
  await expect.poll(address).toMatch(/\?result=/)
  expect(api.callsTo('POST /api/generations')).toMatchObject([
    { body: { params: { redraw: 'clay' }, expected_credits: price } },
  ])
})

it('asks about everyone in a group where a person may be missing, and sends who is picked or tapped', async () => {
  const server = new GenerationServer()
  const unsure: PhotoCheckView = {
    ...clean,
    problems: [{ path: 'people', code: 'engine.people_unsure', msg: 'Mungkin ada orang yang terlewat.' }],
    facts: {
      people: [
        { x: 0.1, y: 0.2, width: 0.2, height: 0.8 },
        { x: 0.4, y: 0.2, width: 0.2, height: 0.8 },
        { x: 0.7, y: 0.2, width: 0.2, height: 0.8 },
      ],
    },
  }
  await openApp('/ai-background-removal', {
    user: sari,
    api: {
      ...server.routes,
      'POST /api/tools/*/check': ({ body }: ApiCall) => {
        const people = (body as { params: { people?: { x: number; width?: number }[] } }).params.people
        const [tap] = people?.filter(({ width }) => width === undefined) ?? []
        if (!tap) return people ? clean : unsure
        const box = tap.x < 200 ? null : { x: 0.8, y: 0, width: 0.2, height: 1 }
        const problems = box ? [] : [{ path: 'people', code: 'engine.person_not_found', msg: 'Tidak ketemu.' }]
        return { ...clean, problems, facts: { taps: [{ x: tap.x / 400, y: 0.1, box }] } }
      },
    },
  })
  await choose(await pictureFile(400, 300))
  await text('Mungkin ada orang yang terlewat.').toBeVisible()
  const start = button(/^Hapus latar/)
  await start.click()
  expect(server.generations).toEqual([])
  await button('Semua 3 orang').click()
  const everyone = page.getByRole('group', { name: 'Orang yang disimpan' })
  const second = everyone.getByRole('button', { name: 'Orang 2' })
  await expect.element(second).toHaveAttribute('aria-pressed', 'true')
  await expect.element(page.getByText('Mungkin ada orang yang terlewat.')).not.toBeInTheDocument()
  await second.click()
  await expect.element(second).toHaveAttribute('aria-pressed', 'false')
  const tapAt = async (x: number) => {
    await button('Tambah orang').click()
    const layer = button('Ketuk wajah yang terlewat')
    const { width, height } = layer.element().getBoundingClientRect()
    await layer.click({ position: { x: x * width, y: 0.1 * height } })
  }
  await tapAt(0.25)
  await text('Tidak ketemu.').toBeVisible()
  await start.click()
  expect(server.generations).toEqual([])
  await button('Hapus titik').click()
  await tapAt(0.9)
  await expect.element(everyone.getByRole('button', { name: 'Orang 4' })).toHaveAttribute('aria-pressed', 'true')
  await start.click()
  await expect.poll(address).toMatch(/\?result=/)
  expect(server.generations[0]?.params.people).toEqual([
    { x: 40, y: 60, width: 80, height: 240 },
    { x: 280, y: 60, width: 80, height: 240 },
    { x: expect.closeTo(360, -1), y: expect.closeTo(30, -1) },
  ])
})

it('shows one note at a time on a small stage, off the faces, and none that a raised sheet would cut', async () => {
  const box = (x: number) => ({ x, y: 300, width: 300, height: 400 })
  const face = (input: string, x: number) => ({ input, position: 0, box: box(x), points: [] })
  await openApp('/ai-swap-face', {
    user: sari,
    size: [360, 640],
    api: {
      ...new GenerationServer().routes,
      'GET /api/user/consents': consented,
      'POST /api/tools/*/check': {
        ...clean,
        faces: [face('target', 500), face('target', 1300), face('faces', 300)],
        warnings: [{ code: 'blurred', msg: 'Kurang tajam.' }],
      },
    },
  })
  await choose(await pictureFile(2000, 1500), await pictureFile(900, 1200, 'b.png', '#336699'))
  const error = page.getByText('Ketuk dulu wajah yang mau diganti.')
  await expect.element(error).toBeVisible()
  await expect.element(page.getByText('Kurang tajam.')).not.toBeVisible()
  const faces = page.getByRole('group', { name: 'Wajah yang diganti' }).getByRole('button')
  const rectOf = (element: Element) => element.getBoundingClientRect()
  const hidden = () => {
    const note = rectOf(error.element().closest('ul') as Element)
    return faces
      .elements()
      .map((one) => Math.min(note.bottom, rectOf(one).bottom) - Math.max(note.top, rectOf(one).top))
  }
  await expect.poll(() => Math.max(...hidden())).toBeLessThan(16)

  const strip = page.getByRole('group', { name: 'Wajah baru' })
  page.getByRole('separator', { name: 'Tinggi panel pilihan' }).element().focus()
  await userEvent.keyboard('{End}')
  await expect.element(strip).not.toBeInTheDocument()
  await expect.element(error).not.toBeVisible()
  // Starting shows why it is not possible yet.
  await page.getByRole('checkbox', { name: /setuju/ }).click()
  await button(/^Tukar wajah/).click()
  await expect.element(error).toBeInViewport({ ratio: 1 })

  await faces.first().click()
  await expect.element(page.getByText('Kurang tajam.')).toBeVisible()
})
