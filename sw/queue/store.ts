import { promisifyRequest } from 'idb-keyval'
import { committed, deviceStore } from '../device-store.ts'
import { keepsBlobs } from '../keeps-blobs.ts'
import type { UploadFiles, UploadItem } from './item.ts'
import { blobOf, bytesOf, currentItem, type StoredBlob, type StoredItem } from './stored-item.ts'

// One key per item, and one for its bytes; both live in one object store, so that they change in
// one transaction.
const store = deviceStore('rupa-uploads', 'uploads')
const itemKey = (id: string) => `item/${id}`
const filesKey = (id: string) => `files/${id}`
const allItems = () => IDBKeyRange.bound('item/', 'item0', false, true)

/** Stores a new upload with its bytes; rejects (QuotaExceededError) when the device has no room. */
export async function addItem(item: UploadItem, files: UploadFiles): Promise<void> {
  if (await keepsBlobs()) return add(item, files)
  const preview = item.preview && (await bytesOf(item.preview))
  return add({ ...item, preview }, await Promise.all(files.map(bytesOf)))
}

function add(item: StoredItem & { id: string }, files: StoredBlob[]): Promise<void> {
  return store('readwrite', (uploads) => {
    uploads.add(item, itemKey(item.id))
    uploads.add(files, filesKey(item.id))
    return committed(uploads.transaction)
  })
}

/** Every upload on this device, whoever it belongs to, oldest first. */
export async function listItems(): Promise<UploadItem[]> {
  const items: StoredItem[] = await store('readonly', (uploads) => promisifyRequest(uploads.getAll(allItems())))
  return items.map(currentItem).sort((a, b) => a.createdAt - b.createdAt)
}

export async function findItem(id: string): Promise<UploadItem | undefined> {
  const item: StoredItem | undefined = await store('readonly', (uploads) => promisifyRequest(uploads.get(itemKey(id))))
  return item && currentItem(item)
}

export async function readFiles(id: string): Promise<UploadFiles | undefined> {
  const files: StoredBlob[] | undefined = await store('readonly', (uploads) =>
    promisifyRequest(uploads.get(filesKey(id))),
  )
  return files?.map(blobOf)
}

/** What becomes of an item: its new form, `delete` it, or leave it (`undefined`). */
export type Change = UploadItem | 'delete' | undefined

/**
 * Reads, decides and writes in one transaction, so that page, other tabs and worker never overwrite
 * each other. Resolves to the item after the change; undefined when there is none.
 */
export function changeItem(id: string, decide: (item: UploadItem) => Change): Promise<UploadItem | undefined> {
  return store('readwrite', async (uploads) => {
    const done = committed(uploads.transaction)
    let after: UploadItem | undefined
    const request: IDBRequest<StoredItem | undefined> = uploads.get(itemKey(id))
    request.onsuccess = () => {
      if (!request.result) return
      const before = currentItem(request.result)
      const change = decide(before)
      after = change === 'delete' ? undefined : (change ?? before)
      if (change === 'delete') uploads.delete(itemKey(id))
      else if (change) uploads.put({ ...change, preview: request.result.preview }, itemKey(id))
      if (change === 'delete' || after?.state === 'sent') uploads.delete(filesKey(id))
    }
    await done
    return after
  })
}

/** Deletes a user's uploads, or everybody's. */
export async function deleteItems(userId?: string): Promise<void> {
  for (const item of await listItems()) {
    if (userId === undefined || item.userId === userId) await changeItem(item.id, () => 'delete')
  }
}
