import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { BoardEditDetail } from '#features/custom-edits/schemas.ts'
import type { AdminRefundRequest } from '#features/generations/schemas.ts'
import { GenerationServer } from '#tests/support/components/generation-server.ts'
import { setText } from '#tests/support/components/layout.ts'
import { address, desktop, openApp } from '#tests/support/components/open-app.tsx'
import { designer, editOf, generationOf, inDays, pictureFile, sari, staff } from '#tests/support/components/samples.ts'
import { button } from '#tests/support/components/screen.ts'
import { type ApiCall, refusal } from '#tests/support/components/stub-api.ts'
import { violations } from '#tests/support/components/violations.ts'
import { elementsBeyond } from '#tests/support/elements-beyond.ts'

const dialog = page.getByRole('dialog')
const text = (content: string | RegExp) => expect.element(page.getByText(content).first())
const picture = async () => new Response(await pictureFile(64, 64))

it('decides a refund request by the keyboard, after a look at its picture, with an answer', async () => {
  const request: AdminRefundRequest = {
    id: 'g1',
    user: { id: sari.id, name: 'Teratai', email: 'teratai@contoh.test', role: 'user', duty: null },
    status: 'waiting',
    tool: 'background-removal',
    credits: 5,
    reason: 'Kumisnya hilang',
    createdAt: inDays(-1),
    answer: null,
    decidedBy: null,
    refunded: 0,
    assignee: null,
    dueAt: null,
    files: [{ id: 'f1', role: 'output' }],
  }
  const { api } = await openApp('/admin/klaim', {
    user: staff,
    size: desktop,
    api: {
      'GET /api/admin/claims': () => ({ items: request.status === 'waiting' ? [request] : [], nextCursor: null }),
      'GET /api/admin/claims/*/files/*': picture,
      'GET /api/admin/colleagues': {
        items: [staff, { id: 'b1', name: 'Bagus' }].map(({ id, name }) => ({ id, name })),
      },
      'PUT /api/admin/claims/*/assignee': undefined,
      'POST /api/admin/claims/*': ({ body }: ApiCall) => {
        request.status = (body as { accept: boolean }).accept ? 'refunded' : 'declined'
        return request
      },
    },
  })
  const row = page.getByRole('row').filter({ hasText: 'Teratai' })
  await expect.element(row).toBeVisible()
  await userEvent.keyboard('j')
  await userEvent.keyboard('{Enter}')
  await dialog.getByRole('button', { name: 'Buka hasil' }).click()
  await expect.element(dialog.getByRole('img', { name: 'Hasil' })).toBeVisible()
  expect(await violations()).toEqual([])
  await userEvent.selectOptions(dialog.getByLabelText('Ditangani'), 'Bagus')
  await expect
    .poll(() => api.callsTo('PUT /api/admin/claims/g1/assignee'))
    .toMatchObject([{ body: { assignee: 'b1' } }])
  await dialog.getByRole('button', { name: 'Kembalikan kredit' }).click()
  await dialog.getByLabelText('Jawaban untuk pengguna').fill('Kumisnya memang hilang, maaf ya')
  await dialog.getByRole('button', { name: 'Kembalikan kredit' }).last().click()
  await expect.element(row).not.toBeInTheDocument()
  expect(api.callsTo('POST /api/admin/claims/g1')).toMatchObject([
    { body: { accept: true, reason: 'Kumisnya memang hilang, maaf ya' } },
  ])
})

it('runs a failed generation again, and requires the sign of AI for a tool', async () => {
  const settings = {
    tool: 'swap-face',
    enabled: true,
    message: '',
    messageEn: '',
    markRequired: false,
    remoteAllowed: null,
  }
  const failure = {
    id: 'g1',
    userId: sari.id,
    code: 'engine.no_face',
    msg: 'Tidak ada wajah',
    provider: 'local',
    attempts: 1,
    finishedAt: inDays(-1),
    again: true,
  }
  const { api, messages } = await openApp('/admin/fitur?tool=swap-face', {
    user: staff,
    size: desktop,
    api: {
      'GET /api/admin/tools': () => ({ items: [{ ...settings }] }),
      'PATCH /api/admin/tools/*': ({ body }: ApiCall) => Object.assign(settings, body),
      'GET /api/admin/tools/*/failures': () => ({ items: [{ ...failure }] }),
      'POST /api/admin/generations/*/run_again': () => {
        failure.again = false
      },
      'GET /api/admin/jobs': { failing: [] },
      'GET /api/admin/providers': { items: [] },
      'GET /api/admin/provider_settings': { items: [] },
      'GET /api/admin/tasks': { items: [] },
      'GET /api/admin/models': { items: [] },
      'GET /api/admin/dashboard': { open: {}, tools: [] },
    },
  })
  await expect.element(dialog.getByText('sampai 25 MB, 50 megapiksel').first()).toBeVisible()
  await dialog.getByRole('button', { name: 'Jalankan lagi' }).click()
  await expect.poll(messages).toContain('Dijalankan lagi tanpa biaya.')
  await expect.element(dialog.getByRole('button', { name: 'Jalankan lagi' })).not.toBeInTheDocument()
  const mark = dialog.getByRole('switch', { name: /Diedit AI/ })
  await mark.click()
  await expect.element(mark).toBeChecked()
  await mark.click()
  await expect.element(mark).not.toBeChecked()
  await expect
    .poll(() => api.callsTo('PATCH /api/admin/tools/swap-face').map(({ body }) => body))
    .toEqual([{ markRequired: true }, { markRequired: false }])
})

it('withdraws a request that no designer has taken, and tells of one that was taken meanwhile', async () => {
  let edits = [editOf('Foto wisuda'), editOf('Salah kirim')]
  const { messages } = await openApp('/history', {
    user: sari,
    api: {
      'GET /api/custom_edits': () => ({ items: edits, nextCursor: null }),
      'POST /api/custom_edits/*/cancel': ({ path }: ApiCall) => {
        if (!path.includes('Salah')) {
          edits = [editOf('Foto wisuda', { status: 'in_progress' })]
          return refusal(409, 'custom_edit.taken' as never, 'Permintaan ini sudah diambil.')
        }
        edits = edits.filter(({ id }) => id !== 'Salah kirim')
        return undefined
      },
    },
  })
  const requests = page.getByRole('region', { name: 'Edit khusus' }).getByRole('listitem')
  await requests.filter({ hasText: 'Salah kirim' }).getByRole('button', { name: 'Tarik permintaan' }).click()
  await dialog.getByRole('button', { name: 'Tarik', exact: true }).click()
  await expect.poll(messages).toContain('Permintaanmu sudah ditarik.')
  await expect.element(requests).toHaveLength(1)
  await expect.element(page.getByRole('heading', { name: 'Edit khusus' })).toHaveFocus()
  await requests.getByRole('button', { name: 'Tarik permintaan' }).click()
  await dialog.getByRole('button', { name: 'Tarik', exact: true }).click()
  await expect.poll(messages).toContain('Permintaan ini sudah diambil.')
  await expect.element(requests.getByText('Sedang dikerjakan')).toBeVisible()
})

it('sends a message with a picture, and shows it in the conversation', async () => {
  const server = new GenerationServer()
  let edit = editOf('Foto wisuda', { status: 'in_progress' })
  const { api, messages } = await openApp('/history', {
    user: sari,
    api: {
      ...server.routes,
      'GET /api/custom_edits': () => ({ items: [edit], nextCursor: null }),
      'POST /api/custom_edits/*/messages': ({ body }: ApiCall) => {
        const { text: words } = body as { text: string }
        const said = { id: 1, mine: true, author: sari.name, text: words, pictures: [], createdAt: inDays(0) }
        edit = { ...edit, messages: [said] }
        return new Response(null, { status: 204 })
      },
    },
  })
  await button('Tulis pesan').click()
  await dialog.getByRole('textbox', { name: 'Pesan' }).fill('Seperti di gambar ini')
  const field = document.querySelector<HTMLInputElement>('dialog input[type=file]')
  await userEvent.upload(field as HTMLElement, await pictureFile(64, 48))
  await dialog.getByRole('button', { name: 'Kirim' }).click()
  await expect.poll(messages).toContain('Pesanmu sudah dikirim.')
  await text('Seperti di gambar ini').toBeVisible()
  expect(api.callsTo('POST /api/custom_edits/*/messages').map(({ body }) => body)).toEqual([
    { text: 'Seperti di gambar ini', pictures: [{ upload: expect.any(String) }] },
  ])
})

it('rates delivered results by stars and a sentence, and shows the rating', async () => {
  let edit = editOf('Foto wisuda', { status: 'done', finishedAt: inDays(-1), canRate: true })
  const { api, messages } = await openApp('/history', {
    user: sari,
    api: {
      'GET /api/custom_edits': () => ({ items: [edit], nextCursor: null }),
      'POST /api/custom_edits/*/rating': ({ body }: ApiCall) => {
        edit = { ...edit, rating: { ...(body as { stars: number; comment: string }), ratedAt: inDays(0) } }
      },
    },
  })
  await button('Nilai hasilnya').click()
  await expect.element(dialog.getByRole('button', { name: 'Kirim' })).toBeDisabled()
  await dialog.getByRole('radio', { name: '4 dari 5 bintang' }).click({ force: true })
  await dialog.getByLabelText(/Satu kalimat/).fill('Rapi sekali')
  expect(await violations()).toEqual([])
  await dialog.getByRole('button', { name: 'Kirim' }).click()
  await expect.poll(messages).toContain('Terima kasih, penilaianmu tersimpan.')
  await expect.element(page.getByRole('img', { name: '4 dari 5 bintang' })).toBeVisible()
  await text('Rapi sekali').toBeVisible()
  expect(api.callsTo('POST /api/custom_edits/Foto%20wisuda/rating')).toMatchObject([
    { body: { stars: 4, comment: 'Rapi sekali' } },
  ])
  await button('Ubah penilaian').click()
  await expect.element(dialog.getByRole('radio', { name: '4 dari 5 bintang' })).toBeChecked()
})

it('takes a result to a designer with its picture', async () => {
  const server = new GenerationServer()
  const [output] = generationOf('a').outputs
  const url = URL.createObjectURL(await pictureFile(512, 600))
  server.generations = [generationOf('a', { outputs: output ? [{ ...output, url }] : [] })]
  const { api } = await openApp('/history?id=a', {
    user: sari,
    api: { ...server.routes, 'POST /api/custom_edits': Response.json({ id: 'c1' }, { status: 201 }) },
  })
  await button('Pilihan lain').click()
  await dialog.getByRole('button', { name: 'Minta desainer' }).click()
  await expect.poll(address).toBe('/customize-edit')
  await expect.element(page.getByLabelText('Email')).toHaveValue(sari.email)
  await page.getByLabelText('Judul').fill('Latarnya jadi pantai')
  await page.getByLabelText('Nomor WhatsApp').fill('0812 3456 7890')
  await page.getByLabelText('Permintaan', { exact: true }).fill('Dengan cahaya sore')
  await button('Kirim permintaan').click()
  await expect.poll(() => api.callsTo('POST /api/custom_edits')).toHaveLength(1)
  expect(api.callsTo('POST /api/custom_edits')[0]?.body).toMatchObject({
    generationId: 'a',
    attachments: [expect.anything()],
  })
})

it('lists five finished requests of the board at first, keeps notes, and declines with a reason', async () => {
  const boardOf = (id: string, own: Partial<BoardEditDetail> = {}): BoardEditDetail => ({
    ...editOf(id),
    user: { id: sari.id, name: sari.name },
    designer: null,
    overdue: false,
    notes: [],
    ...own,
  })
  const declined = ['Satu', 'Dua', 'Tiga', 'Empat', 'Lima', 'Enam'].map((title) =>
    boardOf(title, { status: 'declined', finishedAt: inDays(-1), reason: 'Terlalu kecil' }),
  )
  let poster = boardOf('Poster lama')
  await openApp('/admin/request-custom', {
    user: designer,
    size: desktop,
    api: {
      'GET /api/admin/custom_edits': ({ query }: ApiCall) => {
        const all = [poster, ...declined].filter(({ status }) => status === query.get('status'))
        const items = all.slice(0, Number(query.get('limit')))
        return { items, nextCursor: all.length > items.length ? 'more' : null }
      },
      'GET /api/admin/custom_edits/*': () => poster,
      'POST /api/admin/custom_edits/*/notes': ({ body }: ApiCall) => {
        const note = {
          id: 1,
          author: designer.name,
          createdAt: inDays(0),
          pictures: 2,
          ...(body as { text: string; shared: boolean }),
        }
        poster = { ...poster, notes: [...poster.notes, note] }
        return Response.json({}, { status: 201 })
      },
      'POST /api/admin/custom_edits/*/take': () => {
        poster = { ...poster, status: 'in_progress', designer: { id: designer.id, name: designer.name } }
        return poster
      },
      'POST /api/admin/custom_edits/*/decline': ({ body }: ApiCall) => {
        poster = { ...poster, status: 'declined', finishedAt: inDays(0), ...(body as { reason: string }) }
        return poster
      },
    },
  })
  const column = page.getByRole('region', { name: 'Tidak bisa dikerjakan' })
  await expect.element(column.getByRole('link')).toHaveLength(5)
  await column.getByRole('button', { name: 'Tampilkan lebih banyak' }).click()
  await expect.element(column.getByRole('link')).toHaveLength(6)
  await page.getByRole('link', { name: /Poster lama/ }).click()
  await page.getByLabelText('Catatan baru').fill('Gambarnya terlalu kecil')
  await button('Simpan').click()
  await text('Gambarnya terlalu kecil').toBeVisible()
  await text(/2 gambar ada di permintaan/).toBeVisible()
  await page.viewport(360, 640)
  await setText(200)
  expect(elementsBeyond(360)).toEqual([])
  await setText(100)
  await page.viewport(...desktop)
  await button('Ambil').click()
  await expect.element(button('Kirim hasil')).toBeDisabled()
  await button('Tolak').click()
  await dialog.getByLabelText('Alasan untuk pelanggan').fill('Fotonya terlalu kecil untuk dicetak')
  await dialog.getByRole('button', { name: 'Tolak' }).click()
  await text('Fotonya terlalu kecil untuk dicetak').toBeVisible()
})

it('saves an announcement in both languages only, and shows a later one as scheduled', async () => {
  const items: object[] = []
  const { api } = await openApp('/admin/pengumuman', {
    user: staff,
    size: desktop,
    api: {
      'GET /api/admin/announcements': () => ({ items: [...items] }),
      'POST /api/admin/announcements': ({ body }: ApiCall) => {
        const { text: words } = body as { text: { en: string } }
        if (!words.en) return refusal(422, 'form.invalid', 'Periksa lagi', { 'text.en': 'form.required' })
        items.push({ id: `a${items.length}`, version: 1, ...(body as object) })
        return Response.json({}, { status: 201 })
      },
    },
  })
  const inTwoHours = new Date(Date.now() + 9 * 3_600_000).toISOString().slice(0, 16)
  await button('Pengumuman baru').click()
  await dialog.getByLabelText('Teks (Indonesia)').fill('Diskon dua kali lipat')
  await dialog.getByLabelText('Mulai (WIB)').fill(inTwoHours)
  await dialog.getByRole('button', { name: 'Simpan' }).click()
  await expect.element(dialog.getByText('Bagian ini wajib diisi')).toBeVisible()
  await dialog.getByLabelText('Teks (Inggris)').fill('Twice the discount')
  await dialog.getByRole('button', { name: 'Simpan' }).click()
  await expect.element(page.getByRole('row', { name: /Diskon.*Terjadwal/ })).toBeVisible()
  expect(api.callsTo('POST /api/admin/announcements')).toHaveLength(2)
  expect(await violations()).toEqual([])
})
