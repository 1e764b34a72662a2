import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { ApiError } from '#client/api.ts'
import { checkConnection } from '#client/connection.ts'
import { serverNow } from '#client/device/server-time.ts'
import { requestPersistentStorage } from '#client/device/storage-use.ts'
import { reducedBitmapOf } from '#client/reduced-bitmap.ts'
import { isCurrent, lastUserId, store, storedToken } from '#client/session.ts'
import { showSnackbar } from '#ui/snackbar.tsx'
import { fallbackStore, memoryStore } from '#upload-queue/fallback-store.ts'
import { indexedDbStore } from '#upload-queue/indexed-db-store.ts'
import type { Sender } from '#upload-queue/sender.ts'
import { addUpload, type NewFile, type NewJob, openChannel, type QueueMessage } from '#upload-queue/store.ts'
import type { Transport } from '#upload-queue/transport.ts'
import { progressAtom, resultsAtom, uploadsAtom } from './use-job.ts'

export const uploads = fallbackStore(indexedDbStore, memoryStore(), () =>
  showSnackbar('error', t`Penyimpanan perangkat ini berhenti bekerja. Muat ulang halaman ini setelah fotomu terkirim.`),
)

/**
 * Resolves to the upload's id; from then on the job survives closing the app, unless it is
 * `inMemory`. Rejects without a known user.
 */
export async function enqueue(job: NewJob): Promise<string> {
  const userId = lastUserId()
  if (!userId) throw new Error('no user is signed in')
  // The browser decides, so the result is ignored.
  void requestPersistentStorage()
  const [source] = Object.values(job.inputs).flat()
  const id = await addUpload(uploads, {
    ...job,
    userId,
    preview: source ? await drawPreview(source.blob) : null,
    language: i18n.locale || 'id',
  })
  await readUploads()
  void sendUploads()
  return id
}

const previewSide = 192

/** Null when the browser cannot read the file, which the server may be able to. */
export async function drawPreview(file: Blob): Promise<Blob | null> {
  if (!file.type.startsWith('image/')) return null
  try {
    const small = reducedBitmapOf(file)
    const whole = small ?? (await createImageBitmap(file))
    const scale = previewSide / Math.min(whole.width, whole.height)
    const canvas = document.createElement('canvas')
    canvas.width = previewSide
    canvas.height = previewSide
    const width = whole.width * scale
    const height = whole.height * scale
    canvas.getContext('2d')?.drawImage(whole, (previewSide - width) / 2, (previewSide - height) / 2, width, height)
    if (!small) whole.close()
    return await new Promise((resolve) => canvas.toBlob(resolve, 'image/webp', 0.8))
  } catch {
    return null
  }
}

/** Milliseconds without progress after which a connection is dead; resuming loses nothing. */
const stallTimeoutMs = 15_000

async function loadTransport(): Promise<Transport> {
  const { postJson, tusUpload } = await import('#upload-queue/transport.ts')
  return { upload: tusUpload(() => import('tus-js-client'), { stalled: stallTimeoutMs }), post: postJson }
}

const token = () => storedToken()?.raw ?? null

/**
 * Sends a file before its job, resuming an earlier upload. Rejects with ApiError or NetworkError.
 */
export async function uploadEarly(
  { blob, name, begun }: NewFile,
  { signal, onBegun }: { signal: AbortSignal; onBegun: (uploadUrl: string) => void },
): Promise<void> {
  const headers = { Authorization: `Bearer ${token()}`, 'Accept-Language': i18n.locale || 'id' }
  const refusal = await (await loadTransport()).upload(
    { blob, name, uploadUrl: begun?.uploadUrl ?? null, headers },
    { signal, onBegun, onProgress: () => undefined },
  )
  if (refusal) throw new ApiError(refusal.status, (refusal.body ?? {}) as ConstructorParameters<typeof ApiError>[1])
}

let sender: Promise<Sender> | undefined

/** Tries again after a failure. */
export function loadSender(): Promise<Sender> {
  sender ??= Promise.all([import('#upload-queue/sender.ts'), loadTransport()])
    .then(([{ Sender }, transport]) => new Sender({ uploads, transport, token: async () => token(), announce }))
    .catch((error: unknown) => {
      sender = undefined
      throw error
    })
  return sender
}

/** If no sender is loaded, nothing is being sent. */
function abortSending(id: string): void {
  void sender?.then((loaded) => loaded.abort(id)).catch(() => undefined)
}

let timer: ReturnType<typeof setTimeout> | undefined
function scheduleNextSend(nextAt: number | null): void {
  clearTimeout(timer)
  if (nextAt !== null) timer = setTimeout(() => void sendUploads(), Math.max(1000, nextAt - serverNow()))
}

/** Background Sync (Chromium only) also sends when the app is closed. */
async function requestSync(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration()
  await registration?.sync?.register('upload-queue')
}

/** Milliseconds after a failure of the device's storage or of loading code. */
const failurePauseMs = 10_000

/** `eager` also tries items that wait only for the network. */
export async function sendUploads(options: { eager?: boolean } = {}): Promise<void> {
  try {
    if ((await uploads.list()).length === 0) return
    const result = await (await loadSender()).send(options)
    scheduleNextSend(result.nextAt)
    if (result.waiting > 0) await requestSync().catch(() => undefined)
  } catch {
    // A failed load or write is followed by no event that would start the next try.
    scheduleNextSend(serverNow() + failurePauseMs)
    // The user must know if the connection is gone.
    checkConnection()
  }
}

let lastOwner: string | null = null

/** The last user whose uploads were read. */
export const ownerOfUploads = () => lastOwner

/** Called after every change of any origin. */
export async function readUploads(): Promise<void> {
  const user = lastUserId()
  lastOwner = user ?? lastOwner
  const items = await uploads.list().catch(() => [])
  const mine = items.filter((item) => item.userId === user)
  const found = mine.flatMap(({ id, generationId }) => (generationId === null ? [] : [[id, generationId]]))
  if (found.length > 0) store.set(resultsAtom, (known) => ({ ...known, ...Object.fromEntries(found) }))
  store.set(uploadsAtom, mine)
  // The worker may have read the queue before the current token was there.
  const token = storedToken()
  const current = isCurrent(token) && token.user.id === user
  if (current && mine.some((item) => item.state === 'sign_in' && item.refusedSession !== token.session)) {
    void sendUploads()
  }
}

const sentListeners = new Set<(generation: unknown) => void>()
/**
 * Includes uploads sent by the worker or another tab. The listener receives the server's response;
 * null if the upload was cancelled after arriving.
 */
export function onUploadSent(listener: (generation: unknown) => void): () => void {
  sentListeners.add(listener)
  return () => sentListeners.delete(listener)
}

let post: ((message: QueueMessage) => void) | undefined
export const announce = (message: QueueMessage): void => post?.(message)

function receive(message: QueueMessage): void {
  if (message.type === 'cancel') abortSending(message.id)
  else if (message.type === 'progress') {
    store.set(progressAtom, (shares) => ({ ...shares, [message.id]: message.share }))
  } else {
    if (message.type === 'sent' && message.userId === lastUserId()) {
      for (const listener of sentListeners) listener(message.generation)
    }
    void readUploads()
  }
}

/** False if it is open already. */
export function startChannel(): boolean {
  if (post) return false
  post = openChannel(receive)
  return true
}
