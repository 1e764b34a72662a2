import type { JobKind, QueuedFile, UploadFiles, UploadItem } from './item.ts'
import type { UploadStore } from './store.ts'

/** A file as its tool hands it over, with what the server has of it already. */
export interface NewFile {
  name: string
  blob: Blob
  /** The upload that was begun with it, and whether all of it has arrived. */
  begun?: { uploadUrl: string; arrived: boolean } | undefined
  /** Id of the own earlier output that it is. */
  output?: string | undefined
}

/** What is to be sent now or, offline, later. */
export interface NewJob {
  kind: JobKind
  /** Id of the tool, or of the page that it comes from. */
  tool: string
  params: Record<string, unknown>
  /** Files by the names of the job's inputs. */
  inputs: Record<string, readonly NewFile[]>
  /** The price in credits the person saw and agreed to; a dearer one is asked again. */
  price: number
}

/** A job with whose it is and what the upload list shows of it. */
interface NewUpload extends NewJob {
  userId: string
  preview: Blob | null
  language: string
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

/** Makes an upload due at once, whatever it waited for. */
export function retry(store: UploadStore, id: string): Promise<UploadItem | undefined> {
  return store.change(id, (item) => {
    if (item.state === 'cancelling') return { ...item, nextAt: 0, refusedSession: null }
    if (item.state === 'sending' || item.state === 'sent' || item.state === 'confirm') return undefined
    return { ...item, state: 'waiting', nextAt: 0, message: null, code: null, refusedSession: null }
  })
}

/**
 * Accepts the price the server asks now. The price seen is given too, so that only what was shown
 * can be accepted.
 */
export function confirmPrice(store: UploadStore, id: string, seen: number): Promise<UploadItem | undefined> {
  return store.change(id, (item) =>
    item.state === 'confirm' && item.askedPrice === seen
      ? { ...item, state: 'waiting', price: seen, askedPrice: null, nextAt: 0, message: null, code: null }
      : undefined,
  )
}

/**
 * Takes an upload back. What cannot have reached the server is deleted; anything else becomes
 * `cancelling` until its fate is known. Undefined: it is gone.
 */
export function cancel(store: UploadStore, id: string): Promise<UploadItem | undefined> {
  return store.change(id, (item) => {
    if (item.state === 'sent' || item.state === 'cancelling') return undefined
    // Files alone make nothing, and a run is marked as uncertain before it leaves.
    if (!item.uncertain) return 'delete'
    return { ...item, state: 'cancelling', nextAt: 0, message: null, code: null }
  })
}

/** Removes an upload that has come to its end: arrived and seen, or refused. */
export function dismiss(store: UploadStore, id: string): Promise<UploadItem | undefined> {
  return store.change(id, (item) => (item.state === 'sent' || item.state === 'refused' ? 'delete' : undefined))
}
