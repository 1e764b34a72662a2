import type { NewUpload, QueuedFile, UploadFiles, UploadItem } from './item.ts'

/** What becomes of an item: its new form, `delete` it, or leave it (`undefined`). */
export type Change = UploadItem | 'delete' | undefined

/** Where uploads wait, each with the bytes of its files for as long as they may be needed. */
export interface UploadStore {
  /** Takes a new upload with its bytes. Rejects where there is no room for it. */
  add(item: UploadItem, files: UploadFiles): Promise<void>
  /** Every upload, whoever it belongs to, oldest first. */
  list(): Promise<UploadItem[]>
  /** The bytes of an upload; undefined once it has arrived. */
  files(id: string): Promise<UploadFiles | undefined>
  /**
   * Reads, decides and writes as one, so that nobody overwrites what another has decided. Resolves
   * to the item after the change; undefined when there is none.
   */
  change(id: string, decide: (item: UploadItem) => Change): Promise<UploadItem | undefined>
}

/**
 * Puts an upload into the queue; when this resolves it is in the store. Resolves to its id.
 */
export async function addUpload(
  store: UploadStore,
  { inputs: given, ...upload }: NewUpload,
  now = Date.now(),
): Promise<string> {
  const bytes: UploadFiles = []
  const inputs: Record<string, QueuedFile[]> = {}
  for (const [name, files] of Object.entries(given)) {
    inputs[name] = files.map(({ name, blob, begun, output = null }) => {
      const index = bytes.push(blob) - 1
      const arrived = begun?.arrived ?? output !== null
      return { index, name, bytes: blob.size, uploadUrl: begun?.uploadUrl ?? null, arrived, output }
    })
  }
  const item: UploadItem = {
    ...upload,
    id: crypto.randomUUID(),
    inputs,
    createdAt: now,
    attempts: 0,
    state: 'waiting',
    lastStatus: null,
    nextAt: 0,
    message: null,
    code: null,
    askedPrice: null,
    generationId: null,
    uncertain: false,
    refusedSession: null,
  }
  await store.add(item, bytes)
  return item.id
}

export async function deleteItems(store: UploadStore, userId?: string): Promise<void> {
  for (const item of await store.list()) {
    if (userId === undefined || item.userId === userId) await store.change(item.id, () => 'delete')
  }
}
