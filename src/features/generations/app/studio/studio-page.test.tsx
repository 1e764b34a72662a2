import { expect, it, onTestFinished, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { GenerationServer } from '#tests/support/components/generation-server.ts'
import { address, desktop, openApp } from '#tests/support/components/open-app.tsx'
import { generationOf, pictureFile, sari, sidewaysPhoto, usualRoutes } from '#tests/support/components/samples.ts'
import { button, choose, drag, replaceBy, savedFiles, tabTo } from '#tests/support/components/screen.ts'
import { refusal } from '#tests/support/components/stub-api.ts'
import { violations } from '#tests/support/components/violations.ts'

const clip = new URL('../../../../engine/node/fixtures/reordered-frames.mp4', import.meta.url)
const studio = '/ai-background-removal'
const start = button(/^Hapus latar/)
const chosen = page.getByRole('img', { name: 'Foto yang kamu pilih' })
const text = (content: string | RegExp) => expect.element(page.getByText(content).first())
const box = page.getByRole('group', { name: /^Kotak objek/ })
const paramsOf = (server: GenerationServer) => server.generations[0]?.params

it('lets a visitor try an example, and requires an account where a tool has no preview', async () => {
  const { reload } = await openApp(studio)
  await button('Contoh: kucing').click()
  await expect.element(page.getByRole('img', { name: 'Pratinjau hasil' })).toBeVisible()
  // Tools that need marks offer examples with removable objects.
  await reload('/ai-object-removal')
  await button('Contoh: roket').click()
  await expect.element(page.getByRole('application')).toBeVisible()
  await reload('/ai-cartoonizer')
  await expect.element(button('Pilih foto')).toBeVisible()
  expect(button('Contoh: kucing').all()).toHaveLength(0)
  await choose(await pictureFile(512, 600))
  await text('Akun baru dapat 40 kredit gratis.').toBeVisible()
  const dialog = page.getByRole('dialog')
  const begin = () => userEvent.click(document.querySelector('.studio-action button') as Element)
  await begin()
  await expect.element(dialog.getByRole('button', { name: 'Daftar', exact: true })).toBeVisible()
  await expect.element(dialog.getByRole('img', { name: 'Fotomu' })).toBeVisible()
  await reload('/ai-video-background-removal')
  const video = await (await fetch(clip)).blob()
  await choose(new File([video], 'a.mp4', { type: 'video/mp4' }))
  await expect.element(button(/^Hapus latar/)).toBeEnabled()
  await begin()
  await expect.element(dialog.getByText(/^Videomu langsung diproses/)).toBeVisible()
  await expect.element(dialog.getByLabelText('Videomu')).toBeVisible()
})

it('offers the options of an object’s removal once they mean something', async () => {
  await openApp('/ai-object-removal', { size: desktop })
  const margin = page.getByRole('slider', { name: 'Lebarkan tanda' })
  const otherFill = button('Isi dengan cara lain (cara 1)')
  await expect.element(page.getByRole('group', { name: 'Format' })).toBeVisible()
  expect([...margin.all(), ...otherFill.all()]).toEqual([])
  await button('Contoh: roket').click()
  await expect.element(margin).toBeVisible()
  expect(otherFill.all()).toEqual([])
  const area = page.getByRole('application')
  await area.click({ position: { x: 60, y: 60 } })
  await expect.element(otherFill).toBeVisible()
})

it('draws a visitor’s preview anew on the device when the options change, without another run', async () => {
  // The engine stays away, so that the page itself composes.
  vi.spyOn(navigator, 'connection' as 'language', 'get').mockReturnValue({ saveData: true } as never)
  const { api } = await openApp(studio)
  await choose(await pictureFile(512, 600))
  await button('Ubah pilihannya').click()
  await expect.element(page.getByRole('img', { name: 'Pratinjau hasil' })).toBeVisible()
  await button('Latar').click()
  await button('Putih').click()
  const wall = () => document.querySelector<HTMLElement>('.viewer [style*="background-color"]')?.style.backgroundColor
  await expect.poll(wall).toBe('rgb(255, 255, 255)')
  await button('Hitam').click()
  await expect.poll(wall).toBe('rgb(24, 24, 27)')
  await expect.element(button('Daftar gratis, unduh ukuran penuh')).toBeVisible()
  expect(api.callsTo('POST /api/tools/*/preview')).toHaveLength(1)
  // Only a crop needs the engine or the server.
  await button('Bingkai').click()
  await page.getByText('Potong pas ke subjek').click()
  await text('Pilihan barumu belum terlihat di pratinjau ini.').toBeVisible()
  await start.click()
  await expect.poll(() => api.callsTo('POST /api/tools/*/preview')).toHaveLength(2)
})

it('names the size of the full result, and says so where the subject decides it', async () => {
  // The engine stays away, so that the page itself composes.
  vi.spyOn(navigator, 'connection' as 'language', 'get').mockReturnValue({ saveData: true } as never)
  const busy = Promise.withResolvers<void>()
  const made = usualRoutes(null, 0)['POST /api/tools/*/preview'] as () => Promise<unknown>
  const { api } = await openApp(studio, {
    api: {
      'POST /api/tools/*/preview': async () => {
        await busy.promise
        return made()
      },
    },
  })
  await choose(await pictureFile(900, 687))
  // The steps are those of the request, and the full result is named while it is waited for.
  const step = page.getByRole('listitem').filter({ hasText: 'Hapus Latar dikerjakan di server kami' })
  await expect.element(step).toHaveAttribute('aria-current', 'step')
  await text('Hasil penuhnya 900 × 687 piksel, tanpa tulisan di atasnya.').toBeVisible()
  busy.resolve()
  await text(/Ini pratinjau kecil. Hasil penuhnya 900\s×\s687 piksel/).toBeVisible()
  await button('Ubah pilihannya').click()
  await button('Siap jual').click()
  await button('Persegi').click()
  await text('Ukurannya mengikuti subjek, bukan seluruh foto.').toBeVisible()
  await start.click()
  await expect.poll(() => api.callsTo('POST /api/tools/*/preview')).toHaveLength(2)
  await text(/Ukuran hasil penuhnya mengikuti subjeknya/).toBeVisible()
  expect(page.getByText('900 × 687').all()).toHaveLength(0)
})

it('keeps the arrangement in view while a visitor waits for its preview', async () => {
  const busy = Promise.withResolvers<never>()
  await openApp('/photo-layout', { api: { 'POST /api/tools/*/preview': () => busy.promise } })
  await choose(...(await Promise.all([1, 2, 3, 4].map((i) => pictureFile(100, 100, `${i}.png`)))))
  const arranged = () => document.querySelectorAll('[aria-label^="Foto "][aria-label*="panah menggeser"]').length
  await expect.poll(arranged).toBe(4)
  await button(/^Susun foto/).click()
  await text('Membuat pratinjau…').toBeVisible()
  await expect.poll(arranged).toBe(4)
  expect(chosen.all()).toHaveLength(0)
})

it('announces a result once it can be seen, and never shows the photo as one', async () => {
  const server = new GenerationServer()
  server.generations = [generationOf('a')]
  const decode = vi.spyOn(HTMLImageElement.prototype, 'decode').mockRejectedValue(new Error('no connection'))
  await openApp(`${studio}?result=a`, { user: sari, api: server.routes })
  const download = button('Unduh PNG')
  await expect.element(page.getByRole('heading', { name: 'Membuka hasil…' })).toBeVisible()
  await expect.element(page.getByRole('alert')).toMatchTextContent('Hasil belum bisa dibuka')
  expect(download.all()).toHaveLength(0)
  expect(page.getByRole('slider', { name: 'Bandingkan sebelum dan sesudah' }).all()).toHaveLength(0)
  decode.mockRestore()
  await button('Coba lagi').click()
  await expect.element(page.getByRole('heading', { name: 'Gambar berhasil dibuat' })).toBeVisible()
  await expect.element(download).toBeVisible()
  await expect.element(button('Bagikan')).toBeVisible()
})

it('charges a member nothing for an example', async () => {
  const server = new GenerationServer()
  const { api } = await openApp(studio, { user: sari, api: server.routes })
  await button('Contoh: kucing').click()
  await expect.element(page.getByRole('img', { name: 'Pratinjau hasil' })).toBeVisible()
  await text('Begini hasilnya untuk contoh ini, tanpa kredit.').toBeVisible()
  expect(api.callsTo('POST /api/generations')).toEqual([])
  await replaceBy(button('Coba dengan fotomu'), await pictureFile(512, 600))
  await expect.element(start).toMatchTextContent(/· 5 kredit/)
})

it('refuses a file that is not a picture before anything is sent', async () => {
  const { api } = await openApp(studio, { user: sari })
  const alert = page.getByRole('alert')
  for (const [file, problem] of [
    [
      new File(['<svg xmlns="http://www.w3.org/2000/svg"/>'], 'foto.svg', { type: 'image/svg+xml' }),
      'Hanya berkas gambar yang diizinkan',
    ],
    [new File(['only text'], 'surat.jpg', { type: 'image/jpeg' }), 'surat.jpg rusak dan tidak bisa dibuka'],
    [new File([], 'kosong.jpg', { type: 'image/jpeg' }), 'Berkas ini kosong'],
    [new File([new Uint8Array([0xff, 0xd8, 0xff, 0xe0])], 'potong.jpg', { type: 'image/jpeg' }), 'potong.jpg rusak'],
  ] as const) {
    await button('Pilih foto').upload(file)
    await expect.element(alert).toMatchTextContent(problem)
  }
  await expect.element(start).not.toBeInTheDocument()
  expect(api.calls.filter(({ method }) => method === 'POST')).toEqual([])
})

it('says after a while that a busy server still works on it, and offline that the photo was sent', async () => {
  const server = new GenerationServer()
  server.instant = false
  await openApp(studio, { user: sari, api: server.routes })
  await choose(await pictureFile(512, 600))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const notice = page.getByText('Server sedang ramai, tapi punyamu tetap dikerjakan.')
  await start.click()
  // `expect.poll` moves the clock.
  await expect.element(page.getByText('Sebentar lagi giliranmu.')).toBeVisible()
  await vi.advanceTimersByTimeAsync(20_000)
  await expect.element(notice).toBeVisible()
  vi.useRealTimers()
  window.dispatchEvent(new Event('offline'))
  await expect.element(page.getByText('Sudah terkirim. Hasilnya muncul begitu kamu online lagi.')).toBeVisible()
  await expect.element(notice).not.toBeInTheDocument()
})

it('keeps the picture where credits are too few, and offers more', async () => {
  const server = new GenerationServer()
  server.credits = 3
  const app = await openApp(studio, { user: sari, api: server.routes })
  await choose(await pictureFile(512, 600))
  await text('Kurang 2 kredit: butuh 5, saldomu 3. Fotomu tetap tersimpan di sini.').toBeVisible()
  await button('Tambah kredit').click()
  await expect.element(page.getByRole('dialog')).toMatchTextContent('Kurang 2 kredit')
  expect(app.api.callsTo('POST /api/generations')).toEqual([])
  await app.reload(studio)
  await expect.element(chosen).toBeVisible()
})

it('leaves the start to the user after buying credits, with photo, options and price in place', async () => {
  const server = new GenerationServer()
  server.credits = 3
  const app = await openApp(studio, { user: sari, api: server.routes })
  await choose(await pictureFile(512, 600))
  await page.getByText('Benda', { exact: true }).click()
  await button('Tambah kredit').click()
  server.credits = 25
  await app.reload(studio)
  await expect.element(start).toMatchTextContent('5 kredit')
  await expect.element(chosen).toBeVisible()
  await expect.element(page.getByRole('radio', { name: 'Benda' })).toBeChecked()
  await text('Saldo 25 kredit, jadi 20 setelah ini.').toBeVisible()
  expect(server.generations).toEqual([])
  await start.click()
  await expect.poll(address).toMatch(/\?result=/)
})

it('leaves the picture and what was set where they are when the server ends the session', async () => {
  const { api } = await openApp(studio, { user: sari, api: new GenerationServer().routes })
  await choose(await pictureFile(512, 600))
  await page.getByText('Benda', { exact: true }).click()
  api.serve({ 'GET /api/user/myCredit': refusal(401, 'auth.expired', 'Masuk lagi, ya') })
  api.emit('credits', { credits: 25 })
  await text('Pratinjau gratis, tanpa daftar.').toBeVisible()
  await expect.element(chosen).toBeVisible()
  await expect.element(page.getByRole('radio', { name: 'Benda' })).toBeChecked()
})

it('explains the failure of a picture without a subject, tells the refund, and starts the remedy', async () => {
  const server = new GenerationServer()
  server.outcome = { status: 'failed', error: { code: 'engine.no_subject', msg: 'Objeknya tidak ketemu' }, outputs: [] }
  await openApp(studio, { user: sari, api: server.routes })
  await choose(await pictureFile(320, 240))
  await start.click()
  await expect.element(page.getByRole('main').getByText('Gagal membuat gambar')).toBeVisible()
  await text('5 kredit sudah kembali ke saldomu.').toBeVisible()
  await button('Tandai objeknya').click()
  await expect.element(box).toBeVisible()
  await expect.element(page.getByRole('radio', { name: 'Benda' })).toBeChecked()
  await expect.element(start).toBeVisible()
})

it('offers another photo or a designer, not another try, after the same failure twice', async () => {
  const server = new GenerationServer()
  const error = { code: 'engine.timeout', msg: 'Terlalu lama', repeated: true }
  server.outcome = { status: 'failed', error, outputs: [] }
  await openApp(studio, { user: sari, api: server.routes })
  await choose(await pictureFile(320, 240))
  await start.click()
  await text('Terlalu lama').toBeVisible()
  await expect.element(page.getByText(/sudah dua kali gagal dengan cara yang sama/)).toBeVisible()
  await expect.element(button('Coba lagi dengan foto ini')).not.toBeInTheDocument()
  await expect.element(button('Pilih foto lain')).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Minta bantuan desainer' })).toBeVisible()
})

it('offers a designer at once where only the engine has a limit', async () => {
  const server = new GenerationServer()
  server.generations = [
    generationOf('a', {
      status: 'failed',
      error: { code: 'engine.face_bearded', msg: 'Hanya satu berjanggut' },
      outputs: [],
    }),
    generationOf('b', { status: 'failed', error: { code: 'engine.face_too_young', msg: 'Belum dewasa' }, outputs: [] }),
  ]
  const app = await openApp(`${studio}?result=a`, { user: sari, api: server.routes })
  await text('Hanya satu berjanggut').toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Minta bantuan desainer' })).toBeVisible()
  await app.reload(`${studio}?result=b`)
  await text('Belum dewasa').toBeVisible()
  expect(page.getByRole('link', { name: 'Minta bantuan desainer' }).all()).toHaveLength(0)
})

it('sends the marked area in pixels of the upright picture, and remembers the options', async () => {
  const server = new GenerationServer()
  const app = await openApp(studio, { user: sari, api: server.routes })
  await choose(await sidewaysPhoto(300, 400))
  await page.getByText('Benda', { exact: true }).click()
  await button('Tandai objek di foto').click()
  await expect.element(box).toHaveAccessibleName(/lebar 60%, tinggi 60%, dari kiri 20%, dari atas 20%/)
  expect(await violations()).toEqual([])
  // A finger drags it into the corner; keys move and resize it.
  await drag(box.element(), [0.5, 0.5], [1.5, 1.5])
  await expect.element(box).toHaveAccessibleName(/lebar 60%, tinggi 60%, dari kiri 40%, dari atas 40%/)
  ;(box.element() as HTMLElement).focus()
  await userEvent.keyboard('{Alt>}{ArrowUp}{Shift>}{ArrowDown}{/Shift}{/Alt}')
  await expect.element(box).toHaveAccessibleName(/lebar 60%, tinggi 70%, dari kiri 40%, dari atas 30%/)
  await start.click()
  await expect.poll(address).toMatch(/\?result=/)
  expect(server.generations[0]?.inputs[0]).toMatchObject({ width: 300, height: 400 })
  expect(paramsOf(server)).toMatchObject({ subject: 'object', box: { x: 120, y: 120, width: 180, height: 280 } })

  await app.reload(studio)
  await choose(await pictureFile(300, 400))
  await expect.element(page.getByRole('radio', { name: 'Benda' })).toBeChecked()
})

it('sends a large picture smaller, which is shown and can be turned off', async () => {
  const server = new GenerationServer()
  const app = await openApp(studio, { user: sari, api: server.routes })
  const large = await pictureFile(8000, 1000, 'besar.jpg')
  await choose(large)
  await text('Jadi 6.144 × 768 piksel').toBeVisible()
  await start.click()
  await expect.poll(address).toMatch(/\?result=/)
  expect(server.generations[0]?.inputs[0]).toMatchObject({ width: 6144, height: 768 })

  await app.reload(studio)
  await choose(large)
  await button('Kirim ukuran asli').click()
  await start.click()
  await expect.poll(() => server.generations).toHaveLength(2)
  expect(server.generations[0]?.inputs[0]).toMatchObject({ width: 8000, height: 1000 })
})

it('works from choosing to saving by the keyboard on a wide screen', async () => {
  const server = new GenerationServer()
  await openApp(studio, { user: sari, size: desktop, api: server.routes })
  const saved = savedFiles()
  await expect.element(start).toBeVisible()
  await tabTo(start)
  await userEvent.keyboard('{Enter}')
  await text('Unggah gambar terlebih dahulu').toBeVisible()

  await tabTo(button('Pilih foto'), { back: true })
  await button('Pilih foto').upload(await pictureFile(512, 600))
  await expect.element(chosen).toBeVisible()
  await tabTo(button('Putih'))
  await userEvent.keyboard(' ')
  await tabTo(start)
  await userEvent.keyboard('{Enter}')
  const succeeded = page.getByRole('heading', { name: 'Gambar berhasil dibuat' })
  await expect.element(succeeded).toBeVisible()
  expect(paramsOf(server)).toMatchObject({ background: { type: 'color', color: '#ffffff' } })
  // The button disappeared with its screen; keyboard focus is on the title.
  await expect.element(succeeded).toHaveFocus()

  const line = page.getByRole('slider', { name: 'Bandingkan sebelum dan sesudah' })
  await tabTo(line)
  // The result is seen whole before the line is moved.
  await expect.element(line).toHaveValue('0')
  await userEvent.keyboard('{PageUp}')
  await expect.element(line).toHaveValue('10')
  await tabTo(button('Unduh PNG'))
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => saved).toEqual([server.generations[0]?.outputs[0]?.name])
})

it('waits with a picture refused for a missing consent, and sends it once the consent is given', async () => {
  const server = new GenerationServer()
  const msg = 'Alat ini mengolah wajah. Beri persetujuanmu dulu, ya.'
  const consents = { items: [], current: { biometric: '2026-11', remote: '2026-11' } }
  const { api } = await openApp(studio, {
    user: sari,
    api: {
      ...server.routes,
      'POST /api/generations': refusal(403, 'consent.required', msg),
      'GET /api/user/consents': consents,
      'POST /api/user/consents': Response.json({}, { status: 201 }),
    },
  })
  await choose(await pictureFile(512, 600))
  await button(/5 kredit/).click()
  await text(msg).toBeVisible()
  await button('Beri persetujuan').click()
  await button('Tidak setuju').click()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await text(msg).toBeVisible()
  expect(api.callsTo('POST /api/user/consents')).toEqual([])

  api.serve({ 'POST /api/generations': server.routes['POST /api/generations'] })
  await button('Beri persetujuan').click()
  await text(/UU 27\/2022/).toBeVisible()
  expect(await violations()).toEqual([])
  await button('Saya setuju').click()
  await expect.poll(address).toMatch(/\?result=/)
  expect(api.callsTo('POST /api/user/consents')).toMatchObject([{ body: { kind: 'biometric', version: '2026-11' } }])
})
