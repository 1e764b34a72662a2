import { promisifyRequest } from 'idb-keyval'
import { supportsBlobs } from '#client/device/blob-support.ts'
import { committed, deviceStore } from '#client/device/device-store.ts'
import type { UploadItem, UploadStore } from './store.ts'

/** Bytes where the device cannot store blobs. */
type StoredBlob = Blob | { buffer: ArrayBuffer; type: string }

const blobOf = (stored: StoredBlob): Blob =>
  'buffer' in stored ? new Blob([stored.buffer], { type: stored.type }) : stored
const bytesOf = async (blob: Blob): Promise<StoredBlob> => ({ buffer: await blob.arrayBuffer(), type: blob.type })

type StoredItem = Omit<UploadItem, 'preview'> & { preview: StoredBlob | null }

const itemOf = (stored: StoredItem): UploadItem => ({ ...stored, preview: stored.preview && blobOf(stored.preview) })

// An item and its bytes have separate keys in one object store, so that a transaction covers both.
const store = deviceStore('rupa-uploads', 'uploads')
const itemKey = (id: string) => `item/${id}`
const filesKey = (id: string) => `files/${id}`
const allItems = () => IDBKeyRange.bound('item/', 'item0', false, true)

/**
 * Shared by all pages and the worker. Adding rejects (QuotaExceededError) when the device is full.
 */
export const indexedDbStore: UploadStore = {
  async add(item, files) {
    if (await supportsBlobs()) return write(item, files)
    const preview = item.preview && (await bytesOf(item.preview))
    return write({ ...item, preview }, await Promise.all(files.map(bytesOf)))
  },

  async list() {
    const items: StoredItem[] = await store('readonly', (uploads) => promisifyRequest(uploads.getAll(allItems())))
    return items.map(itemOf).sort((a, b) => a.createdAt - b.createdAt)
  },

  async files(id) {
    const files: StoredBlob[] | undefined = await store('readonly', (uploads) =>
      promisifyRequest(uploads.get(filesKey(id))),
    )
    return files?.map(blobOf)
  },

  // A single transaction, so that pages and worker never overwrite each other.
  async change(id, decide, files) {
    const replaced = files && ((await supportsBlobs()) ? files : await Promise.all(files.map(bytesOf)))
    return store('readwrite', async (uploads) => {
      const done = committed(uploads.transaction)
      let after: UploadItem | undefined
      const request: IDBRequest<StoredItem | undefined> = uploads.get(itemKey(id))
      request.onsuccess = () => {
        if (!request.result) return
        const before = itemOf(request.result)
        const change = decide(before)
        after = change === 'delete' ? undefined : (change ?? before)
        if (change === 'delete') uploads.delete(itemKey(id))
        else if (change) uploads.put({ ...change, preview: request.result.preview }, itemKey(id))
        if (change === 'delete' || after?.state === 'sent') uploads.delete(filesKey(id))
        else if (change && replaced) uploads.put(replaced, filesKey(id))
      }
      await done
      return after
    })
  },
}

function write(item: StoredItem & { id: string }, files: StoredBlob[]): Promise<void> {
  return store('readwrite', (uploads) => {
    uploads.add(item, itemKey(item.id))
    uploads.add(files, filesKey(item.id))
    return committed(uploads.transaction)
  })
}
