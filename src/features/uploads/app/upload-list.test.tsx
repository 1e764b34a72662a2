import { expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { signIn } from '#client/session.ts'
import type { AuthUser } from '#shared/session.ts'
import { GenerationServer } from '#tests/support/components/generation-server.ts'
import { brokenWords, setText } from '#tests/support/components/layout.ts'
import { address, navigateInApp, type OpenedApp, openApp } from '#tests/support/components/open-app.tsx'
import { generationOf, pictureFile, sari, tokenOf, usualRoutes } from '#tests/support/components/samples.ts'
import { button, choose, heading, savedFiles } from '#tests/support/components/screen.ts'
import { indexedDbStore } from '#upload-queue/indexed-db-store.ts'

const studio = '/ai-background-removal'
const uploads = button(/^Unggahan/)
const list = page.getByRole('dialog')
const text = (content: string | RegExp) => expect.element(page.getByText(content).first())

function disconnect({ api }: OpenedApp): void {
  api.setReachable(false)
  window.dispatchEvent(new Event('offline'))
}

function reconnect({ api }: OpenedApp): void {
  api.setReachable(true)
  window.dispatchEvent(new Event('online'))
}

async function sendOffline(app: OpenedApp): Promise<void> {
  disconnect(app)
  await choose(await pictureFile(512, 600))
  await text(/terkirim sendiri begitu ada koneksi/).toBeVisible()
  await button(/5 kredit/).click()
  await text('Menunggu koneksi').toBeVisible()
  // Without a connection it could do nothing.
  expect(button('Kirim sekarang').all()).toHaveLength(0)
  // A try that has not failed yet would arrive after all, with the session of its start.
  await expect.poll(() => indexedDbStore.list()).toMatchObject([{ state: 'waiting', lastStatus: 0 }])
}

it('lists a waiting picture beside the sign of being offline, and stays open once it has arrived', async () => {
  const server = new GenerationServer()
  const app = await openApp(studio, { user: sari, api: server.routes })
  await sendOffline(app)
  await expect.element(page.getByRole('status').getByText('Kamu sedang offline')).toBeInTheDocument()
  navigateInApp('/billing')
  await page.viewport(360, 640)
  await expect.element(uploads).toHaveAccessibleName(/^Unggahan: 1/)
  const sign = page.getByText('Offline', { exact: true }).element().getBoundingClientRect()
  expect(sign.right).toBeLessThan(uploads.element().getBoundingClientRect().left)
  await uploads.click()
  const row = list.getByRole('listitem')
  for (const part of ['Hapus Latar', '5 kredit', 'Menunggu koneksi']) {
    await expect.element(row).toMatchTextContent(part)
  }
  await expect.poll(() => row.element().querySelector('img')).not.toBeNull()
  await setText(200)
  expect(brokenWords('dialog[open] li :is(strong, span, p)')).toEqual([])
  await setText(100)

  reconnect(app)
  await expect.element(list).toMatchTextContent('Tidak ada lagi yang menunggu dikirim.')
  expect(server.generations).toMatchObject([{ tool: 'background-removal', status: 'succeeded' }])
  expect(server.credits).toBe(20)
  // The button is gone with the last upload, so the focus moves to its neighbour.
  await expect.element(uploads).not.toBeInTheDocument()
  await list.getByRole('button', { name: 'Tutup', exact: true }).click()
  await expect.poll(() => page.getByRole('banner').element().contains(document.activeElement)).toBe(true)
})

it.each(['/history', '/'])('opens the list of uploads from a waiting picture at %s', async (path) => {
  const app = await openApp(studio, { user: sari, api: new GenerationServer().routes })
  await sendOffline(app)
  navigateInApp(path)
  await page.getByRole('main').getByRole('button', { name: 'Menunggu koneksi' }).click()
  await expect.element(list.getByRole('listitem')).toMatchTextContent('Menunggu koneksi')
  await expect.element(list.getByRole('button', { name: 'Batalkan' })).toBeVisible()
})

it('sends a generation again under its key when the response is lost', async () => {
  const server = new GenerationServer()
  const created = server.routes['POST /api/generations'] as (call: unknown) => Promise<Response>
  let lost = 2
  const app = await openApp(studio, {
    user: sari,
    api: {
      ...server.routes,
      'POST /api/generations': async (call: unknown) => {
        const response = await created(call)
        if (lost-- > 0) throw new TypeError('Failed to fetch')
        return response
      },
    },
  })
  await choose(await pictureFile(512, 600))
  await button(/5 kredit/).click()
  await expect.poll(() => app.api.callsTo('POST /api/generations').length).toBe(1)
  for (const tries of [2, 3]) {
    window.dispatchEvent(new Event('online'))
    await expect.poll(() => app.api.callsTo('POST /api/generations').length).toBe(tries)
  }
  await expect.poll(address).toMatch(/\?result=g-1/)
  await expect.element(uploads).not.toBeInTheDocument()
  expect(server.generations).toHaveLength(1)
  expect(server.credits).toBe(20)
})

it('cancels on the server a generation whose response was lost, and the list tells so', async () => {
  const server = new GenerationServer()
  server.instant = false
  const created = server.routes['POST /api/generations'] as (call: unknown) => Promise<Response>
  let reachable = false
  const app = await openApp(studio, {
    user: sari,
    api: {
      ...server.routes,
      'POST /api/generations': async (call: unknown) => {
        const response = await created(call)
        if (!reachable) throw new TypeError('Failed to fetch')
        return response
      },
      'POST /api/generations/*/cancel': ({ path }: { path: string }) =>
        server.change(path.split('/')[3] as string, { status: 'cancelled' }),
    },
  })
  await choose(await pictureFile(512, 600))
  await button(/5 kredit/).click()
  await expect.poll(() => server.generations).toHaveLength(1)
  await uploads.click()
  await list.getByRole('button', { name: 'Batalkan' }).click()
  await expect.element(list).toMatchTextContent('Sedang dibatalkan')
  reachable = true
  window.dispatchEvent(new Event('online'))
  await expect.element(list).toMatchTextContent('Tidak ada lagi yang menunggu dikirim.')
  expect(list.element().contains(document.activeElement)).toBe(true)
  expect(server.generations).toMatchObject([{ status: 'cancelled' }])
  expect(app.api.callsTo('POST /api/generations/g-1/cancel')).toHaveLength(1)
})

it('asks for a photo again that the device has lost, and never blames the network', async () => {
  const server = new GenerationServer()
  const app = await openApp(studio, { user: sari, api: server.routes })
  await sendOffline(app)
  const [item] = await indexedDbStore.list()
  await indexedDbStore.change(item?.id ?? '', (now) => ({ ...now }), [new Blob()])
  reconnect(app)
  await text('Pilih berkasnya lagi').toBeVisible()
  await expect.element(page.getByText('Menunggu koneksi')).not.toBeInTheDocument()
  await uploads.click()
  const again = list.getByLabelText('Pilih foto.png')
  await userEvent.upload(again, await pictureFile(300, 300))
  await expect.poll(app.messages).toContain('Ukuran foto ini lain. Pilih foto yang sama seperti tadi, ya.')
  expect(server.generations).toEqual([])
  await userEvent.upload(again, await pictureFile(512, 600))
  await expect.poll(() => server.generations).toHaveLength(1)
  expect(server.credits).toBe(20)
})

it('saves waiting uploads as a ZIP, and continues them from it under their keys, also without a lost file', async () => {
  const server = new GenerationServer()
  const app = await openApp(studio, { user: sari, api: server.routes })
  await sendOffline(app)
  const [item] = await indexedDbStore.list()
  await uploads.click()
  const made = vi.spyOn(URL, 'createObjectURL')
  const save = async () => {
    const before = savedFiles()
    await list.getByRole('button', { name: 'Simpan semuanya sebagai ZIP' }).click()
    await expect.poll(() => before).toEqual(['rupa-uploads.zip'])
    // Pictures of the list get addresses at the same time.
    const zips = made.mock.calls.map(([blob]) => blob as Blob).filter(({ type }) => type === 'application/zip')
    return new File(zips.slice(-1), 'rupa-uploads.zip', { type: 'application/zip' })
  }
  const whole = await save()
  await indexedDbStore.change(item?.id ?? '', (now) => ({ ...now }), [new Blob()])
  const lacking = await save()
  const open = list.getByLabelText('Buka ZIP unggahan')
  await userEvent.upload(open, whole)
  await expect.poll(app.messages).toContain('0 unggahan ditambahkan di perangkat ini')
  await list.getByRole('button', { name: 'Batalkan' }).click()
  await expect.element(list).toMatchTextContent('Tidak ada lagi yang menunggu dikirim.')
  await userEvent.upload(open, new File(['no zip'], 'foto.zip'))
  await expect.poll(app.messages).toContain('Berkas ini bukan ZIP unggahan dari Rupa.')

  await userEvent.upload(open, lacking)
  await expect.element(list).toMatchTextContent('Pilih berkasnya lagi')
  await list.getByRole('button', { name: 'Batalkan' }).click()
  await userEvent.upload(open, whole)
  await expect.element(list.getByRole('listitem')).toMatchTextContent('Menunggu koneksi')
  reconnect(app)
  await expect.poll(() => server.generations).toHaveLength(1)
  expect(app.api.callsTo('POST /api/generations').at(-1)?.headers.get('idempotency-key')).toBe(item?.id)
})

it('asks to sign in when the session expired on the device, shows no picture, and sends it then', async () => {
  const server = new GenerationServer()
  const app = await openApp(studio, {
    user: sari,
    api: server.routes,
  })
  await sendOffline(app)
  localStorage.setItem('authToken', tokenOf(sari, { exp: Math.floor(Date.now() / 1000) - 60 }))
  await app.restart('/')
  reconnect(app)
  await expect.element(uploads).toHaveAccessibleName('Unggahan: 1, 1 menunggu kamu')
  await uploads.click()
  await expect.element(list).toMatchTextContent('Sesimu sudah berakhir')
  // Any visitor could see the list while signed out.
  expect(list.element().querySelector('img')).toBeNull()
  expect(server.generations).toEqual([])
  // Within the app: a reload would end the test.
  await list.getByRole('link', { name: 'Masuk', exact: true }).click()
  await expect.poll(address).toBe('/login')
  await signIn(tokenOf(sari, { sid: 's-new' }))
  await expect.poll(() => server.generations).toHaveLength(1)
  expect(server.credits).toBe(20)
})

it('neither sends nor shows a waiting picture to another user who signs in on the device', async () => {
  const budi: AuthUser = { id: 'u-budi', name: 'Budi', email: 'budi@contoh.test', role: 'user' }
  const server = new GenerationServer()
  const app = await openApp(studio, { user: sari, api: server.routes })
  await sendOffline(app)
  localStorage.setItem('authToken', tokenOf(sari, { exp: Math.floor(Date.now() / 1000) - 60 }))
  await app.restart('/login')
  await signIn(tokenOf(budi))
  app.api.serve(usualRoutes(budi, 25))
  reconnect(app)
  await app.reload('/history')
  await text('Belum ada gambar yang dibuat').toBeVisible()
  await expect.element(uploads).not.toBeInTheDocument()
  expect(app.api.callsTo('POST /api/generations')).toEqual([])

  app.api.serve({ ...usualRoutes(sari, 25), ...server.routes })
  await signIn(tokenOf(sari, { sid: 's-again' }))
  await expect.poll(() => app.api.callsTo('POST /api/generations')).toHaveLength(1)
  expect(app.api.callsTo('POST /api/generations')[0]?.headers.get('authorization')).toContain(
    tokenOf(sari, { sid: 's-again' }).split('.')[1]?.slice(0, 40),
  )
})

it('shows that a result missing on the device cannot be opened offline, and opens it once the server is back', async () => {
  const result = generationOf('a')
  const app = await openApp('/history', { user: sari, api: { 'GET /api/generations/*': result } })
  disconnect(app)
  navigateInApp('/history?id=a')
  await expect.element(heading).toHaveTextContent('Hasil belum bisa dibuka')
  await text('Tidak ada koneksi. Periksa internetmu lalu coba lagi.').toBeVisible()
  await button('Coba lagi').click()
  await expect.element(heading).toHaveTextContent('Hasil belum bisa dibuka')
  reconnect(app)
  await expect.element(page.getByRole('img', { name: 'Hasil edit' })).toBeVisible()
})

it('warns before signing out removes a waiting picture from the device', async () => {
  const server = new GenerationServer()
  const app = await openApp(studio, { user: sari, api: { ...server.routes, 'POST /api/logout': undefined } })
  await sendOffline(app)
  navigateInApp('/logout')
  await expect.element(list).toMatchTextContent('1 foto belum terkirim')
  await list.getByRole('button', { name: 'Tetap masuk' }).click()
  await expect.poll(address).toBe('/history')
  await expect.element(uploads).toBeVisible()
  navigateInApp('/logout')
  await list.getByRole('button', { name: 'Hapus dan keluar' }).click()
  await expect.poll(address).toBe('/')
  await expect.element(uploads).not.toBeInTheDocument()
  reconnect(app)
  await signIn(tokenOf(sari, { sid: 's-again' }))
  await app.reload('/history')
  await text('Belum ada gambar yang dibuat').toBeVisible()
  expect(server.generations).toEqual([])
})
