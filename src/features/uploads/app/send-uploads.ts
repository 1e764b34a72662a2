import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { ApiError } from '#client/api.ts'
import { checkConnection } from '#client/connection.ts'
import { serverNow } from '#client/device/server-time.ts'
import { storedToken } from '#client/session.ts'
import { showSnackbar } from '#ui/snackbar.tsx'
import { fallbackStore, memoryStore } from '#upload-queue/fallback-store.ts'
import { indexedDbStore } from '#upload-queue/indexed-db-store.ts'
import type { Sender, SendResult } from '#upload-queue/sender.ts'
import { type NewFile, openChannel, type QueueMessage } from '#upload-queue/store.ts'
import type { Transport } from '#upload-queue/transport.ts'

export const uploads = fallbackStore(indexedDbStore, memoryStore(), () =>
  showSnackbar('error', t`Penyimpanan perangkat ini berhenti bekerja. Muat ulang halaman ini setelah fotomu terkirim.`),
)

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

let post: ((message: QueueMessage) => void) | undefined
export const announce = (message: QueueMessage): void => post?.(message)

/** False if the channel is open. */
export function openPageChannel(onMessage: (message: QueueMessage) => void): boolean {
  if (post) return false
  post = openChannel((message) => {
    if (message.type === 'cancel') abortSending(message.id)
    else onMessage(message)
  })
  return true
}

let timer: ReturnType<typeof setTimeout> | undefined
function scheduleNextSend({ nextAt }: SendResult): void {
  clearTimeout(timer)
  if (nextAt !== null) timer = setTimeout(() => void sendUploads(), Math.max(1000, nextAt - serverNow()))
}

/** Background Sync (Chromium only) also sends when the app is closed. */
async function requestSync(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration()
  await registration?.sync?.register('upload-queue')
}

/** `eager` also tries items that wait only for the network. */
export async function sendUploads(options: { eager?: boolean } = {}): Promise<void> {
  try {
    if ((await uploads.list()).length === 0) return
    const result = await (await loadSender()).send(options)
    scheduleNextSend(result)
    if (result.waiting > 0) await requestSync().catch(() => undefined)
  } catch {
    // Failed loads and writes are retried later; the user must know if the connection is gone.
    checkConnection()
  }
}
