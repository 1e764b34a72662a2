import { tokenKey } from '#client/session.ts'
import { deviceUploads } from '#sw/queue/device-uploads.ts'
import { memoryUploads } from '#sw/queue/memory-uploads.ts'
import { openChannel, type QueueMessage } from '#sw/queue/messages.ts'
import { pageUploads } from '#sw/queue/page-uploads.ts'
import type { Sender, SendResult } from '#sw/queue/sender.ts'

/** What waits on this device or, where that keeps nothing, in this page. */
export const uploads = pageUploads(deviceUploads, memoryUploads())

// What one end posts is heard by all others, so the page speaks through one and listens through
// another.
let speaker: ReturnType<typeof openChannel> | undefined
export const announce = (message: QueueMessage): void => speaker?.post(message)

/** Opens the end through which the page speaks; false: it has one. */
export function startSpeaking(): boolean {
  if (speaker) return false
  speaker = openChannel()
  return true
}

/**
 * Milliseconds without a byte moving after which a connection is dead; an upload loses nothing by
 * beginning anew.
 */
const stalled = 15_000
let sender: Promise<Sender> | undefined

/**
 * The sender and what it sends with are loaded when there is something to send, and again when that
 * failed.
 */
function loadSender(): Promise<Sender> {
  sender ??= makeSender().catch((error: unknown) => {
    sender = undefined
    throw error
  })
  return sender
}

async function makeSender(): Promise<Sender> {
  const [{ Sender }, { postJson, tusUpload }] = await Promise.all([
    import('#sw/queue/sender.ts'),
    import('#sw/queue/transport.ts'),
  ])
  return new Sender({
    uploads,
    transport: { upload: tusUpload(() => import('tus-js-client'), { stalled }), post: postJson },
    token: async () => localStorage.getItem(tokenKey),
    announce,
  })
}

/** Stops the upload if it is under way here; where nothing was loaded, nothing is. */
export function abortSending(id: string): void {
  void sender?.then((loaded) => loaded.abort(id)).catch(() => undefined)
}

let timer: ReturnType<typeof setTimeout> | undefined
function wakeAt({ nextAt }: SendResult): void {
  clearTimeout(timer)
  if (nextAt !== null) timer = setTimeout(() => void sendUploads(), Math.max(1000, nextAt - Date.now()))
}

/**
 * Asks the browser to send when the connection returns, even when the app is closed by then
 * (Background Sync; Chromium only).
 */
async function requestSync(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration()
  await registration?.sync?.register('upload-queue')
}

/** Sends what is due. `eager` also tries what only waits because the network was gone. */
export async function sendUploads(options: { eager?: boolean } = {}): Promise<void> {
  try {
    if ((await uploads.list()).length === 0) return
    const result = await (await loadSender()).send(options)
    wakeAt(result)
    if (result.waiting > 0) await requestSync().catch(() => undefined)
  } catch {
    // What could not be loaded or written now is tried again with the next occasion.
  }
}
