import 'fake-indexeddb/auto'
import { clear, get } from 'idb-keyval'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { sharedStore } from '#client/device/device-store.ts'
import { finishShare, receiveShare } from './share.ts'

const own = 'https://rupa.test'
let server: () => Promise<Response>

function shareFrom(origin: string | null, name = 'foto.png', mode: RequestMode = 'navigate'): Promise<Response> {
  const body = new FormData()
  body.append('photos', new File([name], name, { type: 'image/png' }))
  const request = new Request(`${own}/share`, { method: 'POST', body })
  // The browser sets the mode; scripts cannot.
  Object.defineProperty(request, 'mode', { value: mode })
  const { get } = request.headers
  request.headers.get = (header) => (header === 'origin' ? origin : get.call(request.headers, header))
  return receiveShare(request)
}

async function follow(answer: Response): Promise<Response> {
  return await finishShare(new Request(new URL(answer.headers.get('location') ?? '', own)))
}

const kept = async () =>
  ((await get<{ file: File }[]>('draft:open-with', sharedStore)) ?? []).map(({ file }) => file.name)
const placeOf = (response: Response) => new URL(response.headers.get('location') ?? '', own).pathname

beforeEach(async () => {
  await clear(sharedStore)
  server = async () => new Response(null, { status: 303, headers: { location: '/open-with?shared=0' } })
  vi.stubGlobal('fetch', () => server())
  const redirect = (location: string, status: number) => new Response(null, { status, headers: { location } })
  vi.spyOn(Response, 'redirect').mockImplementation((location, status) => redirect(String(location), status ?? 302))
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

it('stores a system share once the server has confirmed that no foreign site sent it', async () => {
  for (const origin of [null, 'null']) {
    await clear(sharedStore)
    const held = await shareFrom(origin)
    expect(await kept()).toEqual([])
    expect(placeOf(await follow(held))).toBe('/open-with')
    expect(await kept()).toEqual(['foto.png'])
  }
})

it('stores nothing from a foreign site, with or without an Origin header', async () => {
  server = async () => new Response('{}', { status: 403 })
  for (const origin of ['https://foreign.test', 'https://sub.rupa.test', 'http://rupa.test', 'null', null]) {
    const response = await follow(await shareFrom(origin))
    expect(response.status).toBe(403)
    expect(await kept()).toEqual([])
  }
  // The files must not appear with a later share either.
  server = async () => new Response(null, { status: 303, headers: { location: '/' } })
  await follow(await shareFrom(null, 'sendiri.png'))
  expect(await kept()).toEqual(['sendiri.png'])
})

it('stores files shared offline, and files sent by our own page', async () => {
  server = () => Promise.reject(new TypeError('Failed to fetch'))
  await follow(await shareFrom(null, 'satu.png'))
  await shareFrom(own, 'dua.png')
  await shareFrom(null, 'tiga.png', 'same-origin')
  expect(await kept()).toEqual(['satu.png', 'dua.png', 'tiga.png'])
})

it('combines a further share with a recent one, but not with an expired one', async () => {
  await shareFrom(own, 'lama.png')
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 20 * 60_000)
  await shareFrom(own, 'satu.png')
  await shareFrom(own, 'dua.png')
  await shareFrom(own, 'satu.png')
  expect(await kept()).toEqual(['satu.png', 'dua.png'])
})

const emptyShare = (body: BodyInit, type: string) =>
  receiveShare(new Request(`${own}/share`, { method: 'POST', body, headers: { origin: own, 'content-type': type } }))

it.each([
  ['no parts', '--x--\r\n', 'multipart/form-data; boundary=x'],
  ['no body', '', 'multipart/form-data; boundary=x'],
  ['no form', 'halo', 'text/plain'],
])('tells that a share with %s brought nothing, and keeps earlier files', async (_, body, type) => {
  await shareFrom(own, 'lama.png')
  const response = await emptyShare(body, type)
  expect(response.headers.get('location')).toBe('/open-with?shared=0')
  expect(await kept()).toEqual(['lama.png'])
})

it.each(['QuotaExceededError', 'UnknownError'])(
  'asks for the files again where the device stores none: %s',
  async (name) => {
    vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(() => {
      throw new DOMException('it failed', name)
    })
    expect((await shareFrom(own)).headers.get('location')).toBe('/open-with?shared=0')
  },
)

it('takes files under any name, and dates those that are shared again', async () => {
  await shareFrom(own, 'lama.png')
  await shareFrom(own, 'satu.png')
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000)
  const body = new FormData()
  body.append('file', new File(['satu.png'], 'satu.png', { type: 'image/png' }))
  const request = new Request(`${own}/share`, { method: 'POST', body, headers: { origin: own } })
  const address = new URL((await receiveShare(request)).headers.get('location') ?? '', own)
  const times = (await get<{ at: number }[]>('draft:open-with', sharedStore))?.map(({ at }) => at) ?? []
  expect(times.map((at) => at < Number(address.searchParams.get('shared')))).toEqual([true, false])
})

it('asks for the pictures again if the worker has restarted in between', async () => {
  const response = await finishShare(new Request(`${own}/share?held=${crypto.randomUUID()}`))
  expect(response.headers.get('location')).toBe('/open-with?shared=0')
})
