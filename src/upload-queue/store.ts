import { isReadable } from '#client/device/local-file.ts'
import { serverNow } from '#client/device/server-time.ts'

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
  /**
   * Atomic. Resolves to the item after the change; undefined without one. `files` replace the bytes
   * of an item that is changed and kept.
   */
  change(id: string, decide: (item: UploadItem) => Change, files?: UploadFiles): Promise<UploadItem | undefined>
}

/** The upload is stored when this resolves to its id. */
export async function addUpload(
  store: UploadStore,
  { inputs: given, ...upload }: NewUpload,
  now = serverNow(),
): Promise<string> {
  const bytes: UploadFiles = []
  const inputs: Record<string, QueuedFile[]> = {}
  for (const [name, files] of Object.entries(given)) {
    inputs[name] = files.map(({ name, blob, begun, output = null, size = null }) => {
      const index = bytes.push(blob) - 1
      const arrived = begun?.arrived ?? output !== null
      return { index, name, bytes: blob.size, uploadUrl: begun?.uploadUrl ?? null, arrived, output, size }
    })
  }
  const item: UploadItem = {
    ...upload,
    id: upload.id ?? crypto.randomUUID(),
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

export type JobKind = 'generation' | 'custom_edit' | 'custom_edit_message' | 'custom_edit_results'

export interface NewFile {
  name: string
  blob: Blob
  /** Upload already begun, and its completeness. */
  begun?: { uploadUrl: string; arrived: boolean } | undefined
  /** The user's earlier output that the file is. */
  output?: string | undefined
  /** Size of the upright picture in pixels. */
  size?: PixelSize | null
}

export interface NewJob {
  kind: JobKind
  /** Id of the tool, or of the page of origin. */
  tool: string
  params: Record<string, unknown>
  /** By input name. */
  inputs: Record<string, readonly NewFile[]>
  /** Credits that the user accepted; a higher price needs confirmation. */
  price: number
}

export interface NewUpload extends NewJob {
  /** Of an upload that another device has saved. */
  id?: string
  userId: string
  preview: Blob | null
  language: string
}

/**
 * The id is the Idempotency-Key, so that the request takes effect once however often it is sent.
 */
export interface UploadItem {
  id: string
  userId: string
  kind: JobKind
  tool: string
  params: Record<string, unknown>
  /** By input name. Bytes are stored apart, so that a change of state never rewrites a picture. */
  inputs: Record<string, QueuedFile[]>
  price: number
  preview: Blob | null
  /** Accept-Language. */
  language: string
  createdAt: number
  attempts: number
  state: UploadState
  /** HTTP status; 0 without a response. */
  lastStatus: number | null
  /** Earliest next attempt in milliseconds since 1970. */
  nextAt: number
  message: string | null
  code: string | null
  /** The server's current price when it differs from `price`. */
  askedPrice: number | null
  generationId: string | null
  /**
   * The request may have reached the server although no response came back. File uploads never set
   * it.
   */
  uncertain: boolean
  /** The session (`sid`) that the server rejected; another one is tried automatically. */
  refusedSession: string | null
  inMemory?: boolean
}

export interface QueuedFile {
  /** Index of its stored blob. */
  index: number
  name: string
  bytes: number
  /** An interrupted upload resumes there. */
  uploadUrl: string | null
  arrived: boolean
  /** The user's earlier output that the file is; no bytes are sent while the server has it. */
  output?: string | null
  /** Size of the upright picture in pixels; marks refer to it. */
  size?: PixelSize | null
  /** The device lost the bytes, so the user has to choose the file again. */
  lost?: boolean
}

export interface PixelSize {
  width: number
  height: number
}

/**
 * waiting → sending (files, then the request) → sent (removed once seen) | waiting again (network,
 * 5xx, 408, 425, 429) | sign_in (401) | credits (402) | confirm (price changed) | refused (other
 * 4xx; the picture is kept until dismissed) | unreadable (a file is lost on the device).
 * cancelling: the request may have arrived, so it is sent once more under its key, and an existing
 * generation is cancelled and refunded. Otherwise the item is deleted at once.
 */
export type UploadState =
  | 'waiting'
  | 'sending'
  | 'sign_in'
  | 'credits'
  | 'confirm'
  | 'sent'
  | 'refused'
  | 'unreadable'
  | 'cancelling'

/** `QueuedFile.index` refers to them. */
export type UploadFiles = Blob[]

/** Indexes of files that must still be sent, but that the device has lost, in whole or in part. */
export async function findLostFiles(store: UploadStore, item: UploadItem): Promise<number[]> {
  const files = filesOf(item).filter(({ arrived }) => !arrived)
  if (files.length === 0) return []
  const stored = (await store.files(item.id)) ?? []
  const readable = await Promise.all(files.map(({ index, bytes }) => isReadable(stored[index], bytes)))
  return files.filter((_, position) => !readable[position]).map(({ index }) => index)
}

export function filesOf(item: UploadItem): QueuedFile[] {
  return Object.values(item.inputs).flat()
}

export function withFiles(item: UploadItem, change: (file: QueuedFile) => QueuedFile): UploadItem {
  const inputs = Object.entries(item.inputs).map(([name, files]) => [name, files.map(change)] as const)
  return { ...item, inputs: Object.fromEntries(inputs) }
}
