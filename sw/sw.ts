/// <reference lib="webworker" />
import { get } from 'idb-keyval'
import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { CacheFirst } from 'workbox-strategies'
import { answerFile, isFileRequest } from './files.ts'
import { openChannel } from './queue/messages.ts'
import { Sender } from './queue/sender.ts'
import { fetchTransport } from './queue/transport.ts'
import { receiveShare, sharePath } from './share.ts'

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: { url: string; revision: string | null }[] }

/** Background Sync (WICG), which TypeScript's library does not have. */
interface SyncEvent extends ExtendableEvent {
  readonly tag: string
  readonly lastChance: boolean
}

// The shell. /api/ and the server's own pages are never answered from it, nor is the end of a provider's window, whose headers differ.
precacheAndRoute(self.__WB_MANIFEST)
cleanupOutdatedCaches()
registerRoute(
  new NavigationRoute(createHandlerBoundToURL('/index.html'), {
    denylist: [/^\/api\//, /^\/auth\/callback(\?|$)/, /^\/(healthz|readyz|metrics)$/, /\/[^/?]+\.[a-z0-9]+$/i],
  }),
)

/** The page mirrors its access token here; see session.ts of the app. */
const token = async (): Promise<string | null> => (await get<string>('authToken')) ?? null

registerRoute(
  ({ request, url, sameOrigin }) => sameOrigin && isFileRequest(request, url),
  ({ request, event }) => answerFile(request, event, token),
)

// The few sample pictures: nobody's, too big for everybody's first visit, and the same for a long time.
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && /^\/samples\/.+\.webp$/.test(url.pathname),
  new CacheFirst({ cacheName: 'rupa-samples' }),
)

registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname === sharePath,
  ({ request }) => receiveShare(request),
  'POST',
)

const speaker = openChannel()
const sender = new Sender({
  transport: fetchTransport,
  token,
  announce: speaker.post,
  post: async (url, headers) => (await fetch(url, { method: 'POST', headers, credentials: 'omit' })).status,
})
openChannel((message) => {
  if (message.type === 'cancel') sender.abort(message.id)
})

/** Rejects while something waits, so that the browser asks again. */
async function sendWaiting(): Promise<void> {
  const { waiting } = await sender.send({ eager: true })
  if (waiting > 0) throw new Error('some uploads still wait')
}

self.addEventListener('sync', ((event: SyncEvent) => {
  if (event.tag === 'upload-queue') event.waitUntil(sendWaiting())
}) as EventListener)

// A new version waits until the person agrees: it must not replace the files of a page in the middle of an edit or a payment.
self.addEventListener('message', (event) => {
  if (event.data?.type === 'SKIP_WAITING') void self.skipWaiting()
})
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))
