import { expect, test, vi } from 'vitest'
import { StorageTimeout } from '#client/device/device-store.ts'
import { NetworkError } from '#client/device/network-error.ts'
import { fallbackStore, memoryStore } from './fallback-store.ts'
import { Sender } from './sender.ts'
import { addUpload, deleteItems, type UploadStore } from './store.ts'
import { withCancellation } from './transitions.ts'
import type { Transport } from './transport.ts'

const find = (store: UploadStore, id: string) => store.change(id, () => undefined)

const token = `header.${btoa(JSON.stringify({ sub: { id: 'sari' }, sid: 'one', exp: 4_000_000_000 }))}.signature`

const picture = (userId = 'sari') => ({
  userId,
  kind: 'generation' as const,
  tool: 'background-removal',
  params: {},
  inputs: { picture: [{ name: 'foto.jpg', blob: new Blob(['bytes of a picture'], { type: 'image/jpeg' }) }] },
  price: 5,
  preview: null,
  language: 'id',
})

function breakable() {
  const kept = memoryStore()
  const device = { error: undefined as Error | undefined, kept, requests: 0 }
  const ask =
    <Args extends unknown[], Answer>(method: (...args: Args) => Promise<Answer>) =>
    async (...args: Args) => {
      device.requests += 1
      if (device.error) throw device.error
      return method(...args)
    }
  const store: UploadStore = {
    add: ask(kept.add),
    list: ask(async () => (await kept.list()).map(({ inMemory: _, ...item }) => item)),
    files: ask(kept.files),
    change: ask(kept.change),
  }
  return { ...device, device, store }
}

function server() {
  const generations = new Map<string, number>()
  const transport: Transport = {
    async upload(_, { onBegun }) {
      onBegun('/api/uploads/one')
      return undefined
    },
    async post(url, headers) {
      if (url.endsWith('/cancel')) return { status: 200, retryAfter: null, body: {} }
      const key = headers['Idempotency-Key'] ?? ''
      generations.set(key, (generations.get(key) ?? 0) + 1)
      return { status: 201, retryAfter: null, body: { id: `generation of ${key}` } }
    },
  }
  return { transport, runs: generations }
}

const senderOf = (uploads: UploadStore, transport: Transport) =>
  new Sender({ uploads, transport, token: async () => token, announce: () => undefined })

test('a device that responds stores the uploads, and the memory none', async () => {
  const { device, store } = breakable()
  const memory = memoryStore()
  const uploads = fallbackStore(store, memory)
  const id = await addUpload(uploads, picture())
  expect([(await device.kept.list()).length, (await memory.list()).length]).toEqual([1, 0])
  expect((await uploads.list()).map((item) => [item.id, item.inMemory])).toEqual([[id, undefined]])
})

test.each([
  ['does not respond', new StorageTimeout()],
  ['refuses', new DOMException('no', 'SecurityError')],
  ['has none', new ReferenceError('indexedDB is not defined')],
])('when the storage %s from the start, uploads wait in memory, are marked so, and are sent', async (_, error) => {
  const { device, store } = breakable()
  device.error = error
  const uploads = fallbackStore(store, memoryStore())
  const id = await addUpload(uploads, picture())
  expect(await find(uploads, id)).toMatchObject({ inMemory: true, state: 'waiting' })
  const { transport, runs: generations } = server()
  await senderOf(uploads, transport).send()
  expect([...generations]).toEqual([[id, 1]])
  expect(await find(uploads, id)).toMatchObject({ state: 'sent' })
  expect(await uploads.files(id)).toBeUndefined()
  // Checked once for each page, since a check may take seconds.
  expect(device.requests).toBe(1)
})

test('a full device leaves a new upload to the memory, and keeps the stored ones', async () => {
  const { store } = breakable()
  const uploads = fallbackStore(store, memoryStore())
  const first = await addUpload(uploads, picture(), 1)
  vi.spyOn(store, 'add').mockRejectedValue(new DOMException('full', 'QuotaExceededError'))
  const second = await addUpload(uploads, picture(), 2)
  const waiting = (await uploads.list()).map((item) => [item.id, item.inMemory ?? false])
  expect(waiting).toEqual([
    [first, false],
    [second, true],
  ])
})

test('an upload that the device confirms but cannot read again is kept in memory instead', async () => {
  const { device, store } = breakable()
  const { add } = store
  store.add = (item, files) =>
    add(
      item,
      files.map(() => new Blob()),
    )
  const uploads = fallbackStore(store, memoryStore())
  const id = await addUpload(uploads, picture())
  expect(await find(uploads, id)).toMatchObject({ inMemory: true })
  expect(await (await uploads.files(id))?.[0]?.text()).toBe('bytes of a picture')
  expect(await device.kept.list()).toEqual([])
})

test('an upload whose device stops responding while it is sent continues from memory under its key', async () => {
  const { device, store } = breakable()
  const uploads = fallbackStore(store, memoryStore())
  const id = await addUpload(uploads, picture())
  const { transport, runs: generations } = server()
  const cutOff: Transport = {
    ...transport,
    async post(...request) {
      await transport.post(...request)
      device.error = new StorageTimeout()
      throw new NetworkError()
    },
  }
  await senderOf(uploads, cutOff).send()
  expect(await find(uploads, id)).toMatchObject({ inMemory: true, state: 'waiting', uncertain: true })
  await senderOf(uploads, transport).send({ eager: true })
  expect([...generations]).toEqual([[id, 2]])
  expect(await find(uploads, id)).toMatchObject({ state: 'sent' })
})

test('uploads go on from memory, and the user is told once, when the storage fails for good', async () => {
  const { device, store } = breakable()
  const told = vi.fn()
  const uploads = fallbackStore(store, memoryStore(), told)
  const first = await addUpload(uploads, picture(), 1)
  device.error = new DOMException('The database connection is closing', 'InvalidStateError')
  const second = await addUpload(uploads, picture(), 2)
  expect((await uploads.list()).map(({ id, inMemory }) => [id, inMemory])).toEqual([
    [first, true],
    [second, true],
  ])
  expect(told).toHaveBeenCalledTimes(1)
  const { transport, runs: generations } = server()
  await senderOf(uploads, transport).send()
  expect([...generations.keys()].sort()).toEqual([first, second].sort())
})

test('uploads that another page has sent since are not sent from memory', async () => {
  const { device, store } = breakable()
  const uploads = fallbackStore(store, memoryStore())
  const id = await addUpload(uploads, picture())
  await device.kept.change(id, (item) => ({ ...item, state: 'sent' }))
  await uploads.list()
  device.error = new StorageTimeout()
  expect(await uploads.list()).toEqual([])
})

test('uploads that an unresponsive device may still hold are cancelled on the server', async () => {
  const { device, store } = breakable()
  const uploads = fallbackStore(store, memoryStore())
  const id = await addUpload(uploads, picture())
  device.error = new StorageTimeout()
  await uploads.list()
  expect(await uploads.change(id, withCancellation)).toMatchObject({ state: 'cancelling' })
  const { transport, runs: generations } = server()
  await senderOf(uploads, transport).send()
  expect([...generations.keys()]).toEqual([id])
  expect(await uploads.list()).toEqual([])
})

test('a page suspended during its first request to the store tries again', async () => {
  const { device, store } = breakable()
  device.error = new DOMException('put away', 'AbortError')
  const uploads = fallbackStore(store, memoryStore())
  expect(await uploads.list()).toEqual([])
  device.error = undefined
  const id = await addUpload(uploads, picture())
  expect(await find(device.kept, id)).toBeDefined()
})

test('signing out removes the user’s uploads from memory, and no others', async () => {
  const { device, store } = breakable()
  device.error = new StorageTimeout()
  const uploads = fallbackStore(store, memoryStore())
  await addUpload(uploads, picture('sari'))
  const budi = await addUpload(uploads, picture('budi'))
  await deleteItems(uploads, 'sari')
  expect((await uploads.list()).map(({ id }) => id)).toEqual([budi])
})
