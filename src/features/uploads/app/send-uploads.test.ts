import 'fake-indexeddb/auto'
import { afterEach, expect, it, vi } from 'vitest'
import { indexedDbStore } from '#upload-queue/indexed-db-store.ts'
import { enqueue } from './send-uploads.ts'

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const user = { id: 'u-sari', name: 'Sari', email: 'sari@contoh.test', role: 'user' }
const token = ['', part({ sub: user, sid: 's-1', exp: Date.now() / 1000 + 3600 }), ''].join('.')

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

it('sends an upload by itself after the device failed to write once, without any event of the page', async () => {
  vi.stubGlobal('localStorage', { getItem: (key: string) => (key === 'authToken' ? token : null) })
  const calls: string[] = []
  let heard = () => {}
  vi.stubGlobal('fetch', async (url: string) => {
    calls.push(url)
    heard()
    return Response.json({ id: 'g-1' }, { status: 201 })
  })
  /** Polling would move the clock by itself. */
  const called = async (url: string) => {
    while (!calls.includes(url)) await new Promise<void>((resolve) => (heard = resolve))
  }
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.spyOn(indexedDbStore, 'change').mockRejectedValueOnce(new DOMException('', 'AbortError'))
  await enqueue({
    kind: 'generation',
    tool: 'background-removal',
    params: {},
    // An earlier result, so that no bytes are sent.
    inputs: { image: [{ name: 'foto.png', blob: new Blob(), output: 'f-1' }] },
    price: 5,
  })
  await called('/healthz')
  expect(calls).toEqual(['/healthz'])
  vi.advanceTimersByTime(10_000)
  await called('/api/generations')
})
