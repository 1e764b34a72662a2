import type { NewUpload, QueuedFile, UploadFiles, UploadItem } from './item.ts'

/** `undefined`: unchanged. */
export type Change = UploadItem | 'delete' | undefined

/** Files' bytes are stored while they may be needed. */
export interface UploadStore {
  /** Rejects when there is no room. */
  add(item: UploadItem, files: UploadFiles): Promise<void>
  /** Of any user, oldest first. */
  list(): Promise<UploadItem[]>
  /** Undefined once the upload has arrived. */
  files(id: string): Promise<UploadFiles | undefined>
  /** Atomic. Resolves to the item after the change; undefined without one. */
  change(id: string, decide: (item: UploadItem) => Change): Promise<UploadItem | undefined>
}

/** The upload is stored when this resolves to its id. */
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

/** Items are read from the store. */
export type QueueMessage =
  | { type: 'changed'; id: string }
  | { type: 'progress'; id: string; share: number }
  | { type: 'sent'; id: string; userId: string; generation: unknown }
  | { type: 'cancel'; id: string }

/** The listener also receives our own messages. */
export function openChannel(onMessage: (message: QueueMessage) => void): (message: QueueMessage) => void {
  const channel = new BroadcastChannel('upload-queue')
  channel.onmessage = (event: MessageEvent<QueueMessage>) => onMessage(event.data)
  return (message) => {
    channel.postMessage(message)
    onMessage(message)
  }
}
