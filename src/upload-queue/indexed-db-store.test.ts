import 'fake-indexeddb/auto'
import { afterEach, expect, test, vi } from 'vitest'
import { deleteItems, type UploadStore } from './store.ts'

const find = (store: UploadStore, id: string) => store.change(id, () => undefined)

// Capabilities are detected once for each page.
async function openPage() {
  vi.resetModules()
  const { indexedDbStore } = await import('./indexed-db-store.ts')
  return { uploads: indexedDbStore, ...(await import('./store.ts')) }
}

afterEach(async () => {
  vi.restoreAllMocks()
  await deleteItems((await openPage()).uploads)
})

const holdsBlob = (value: unknown): boolean =>
  value instanceof Blob || (typeof value === 'object' && value !== null && Object.values(value).some(holdsBlob))

/** As in WebKit's private windows: a transaction that stores a blob is aborted without a reason. */
function refuseBlobs(): void {
  for (const method of ['add', 'put'] as const) {
    const write = IDBObjectStore.prototype[method]
    vi.spyOn(IDBObjectStore.prototype, method).mockImplementation(function (this: IDBObjectStore, value, key) {
      const request = write.call(this, value, key)
      if (holdsBlob(value)) this.transaction.abort()
      return request
    })
  }
}

const picture = () => ({
  userId: 'sari',
  kind: 'generation' as const,
  tool: 'background-removal',
  params: {},
  inputs: { picture: [{ name: 'foto.jpg', blob: new Blob(['bytes of a picture'], { type: 'image/jpeg' }) }] },
  price: 5,
  preview: new Blob(['small'], { type: 'image/webp' }),
  language: 'id',
})

test.each([
  ['that keeps blobs', () => {}],
  ['that keeps none', refuseBlobs],
])('on a device %s a waiting picture keeps its bytes, its type and its preview', async (_, prepare) => {
  prepare()
  const { addUpload, uploads } = await openPage()
  const id = await addUpload(uploads, picture())
  await uploads.change(id, (item) => ({ ...item, state: 'sending' }))
  const item = await find(uploads, id)
  expect(item?.state).toBe('sending')
  expect([item?.preview?.type, await item?.preview?.text()]).toEqual(['image/webp', 'small'])
  const [file] = (await uploads.files(id)) ?? []
  expect([file?.type, await file?.text()]).toEqual(['image/jpeg', 'bytes of a picture'])
})

test('a full device reports it, and nothing is tried instead', async () => {
  const { addUpload, uploads } = await openPage()
  const full = new DOMException('full', 'QuotaExceededError')
  vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementationOnce(() => {
    throw full
  })
  await expect(addUpload(uploads, picture())).rejects.toBe(full)
  expect(await uploads.list()).toEqual([])
})
