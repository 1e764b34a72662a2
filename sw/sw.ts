/// <reference lib="webworker" />
import { get } from 'idb-keyval'
import type { HttpRequest, HttpStack } from 'tus-js-client'
import { Upload } from 'tus-js-client'
import { cacheNames } from 'workbox-core'
import { cleanupOutdatedCaches, PrecacheController, type PrecacheEntry, PrecacheRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { CacheFirst } from 'workbox-strategies'
import { sharedStore } from '#client/device/device-store.ts'
import { reportUncaught } from '#client/device/report-error.ts'
import { clockKey, restoreClock } from '#client/device/server-time.ts'
import { pageDetails, pagePaths } from '#shared/pages.ts'
import { tokenKey } from '#shared/session.ts'
import { indexedDbStore } from '#upload-queue/indexed-db-store.ts'
import { Sender } from '#upload-queue/sender.ts'
import { openChannel } from '#upload-queue/store.ts'
import { postJson, tusUpload } from '#upload-queue/transport.ts'
import {
  deleteOldEngineFiles,
  isEngineFile,
  loadEngineUpdate,
  serveEngineFile,
  splitFiles,
} from '../src/client/device/engine-files.ts'
import { isFileRequest, serveFile } from './files.ts'
import { openPush, showPush } from './push.ts'
import { finishShare, receiveShare, sharePath } from './share.ts'

/** A service worker has no XMLHttpRequest. Upload progress is unavailable. */
const fetchStack: HttpStack = {
  getName: () => 'fetch',
  createRequest(method, url): HttpRequest {
    const headers: Record<string, string> = {}
    const aborting = new AbortController()
    return {
      getMethod: () => method,
      getURL: () => url,
      setHeader(name, value) {
        headers[name] = value
      },
      getHeader: (name) => headers[name],
      setProgressHandler: () => undefined,
      getUnderlyingObject: () => undefined,
      abort: async () => aborting.abort(),
      async send(body: BodyInit | null = null) {
        const response = await fetch(url, {
          method,
          headers,
          body,
          signal: aborting.signal,
          cache: 'no-store',
          credentials: 'omit',
        })
        const text = await response.text()
        return {
          getStatus: () => response.status,
          getHeader: (name) => response.headers.get(name) ?? undefined,
          getBody: () => text,
          getUnderlyingObject: () => response,
        }
      },
    }
  },
}

/** The pack is loaded from this many missing files on; after an update most are on the device. */
const minMissingForPack = 40

/**
 * Workbox requests files one by one: 50 seconds for two hundred small files at 400 kbit/s and 400
 * ms, also with six requests at a time. So the files of the pack are put into its cache first.
 */
function precacheApp(worker: ServiceWorkerGlobalScope, entries: (PrecacheEntry | string)[]): PrecacheController {
  const controller = new PrecacheController()
  controller.addToCacheList(entries)
  worker.addEventListener('install', (event) => {
    const unpacked = cachePack(controller).catch(() => undefined)
    event.waitUntil(unpacked.then(() => controller.install(event)))
  })
  worker.addEventListener('activate', (event) => event.waitUntil(controller.activate(event)))
  registerRoute(new PrecacheRoute(controller))
  cleanupOutdatedCaches()
  return controller
}

/** The pack is a single file (src/build/bundle.ts). */
async function cachePack(controller: PrecacheController): Promise<void> {
  const cache = await caches.open(cacheNames.precache)
  const missing: [url: string, key: string][] = []
  for (const [url, key] of controller.getURLsToCacheKeys()) if (!(await cache.match(key))) missing.push([url, key])
  if (missing.length < minMissingForPack) return
  const response = await fetch('/offline-pack.json', { credentials: 'same-origin', cache: 'no-store' })
  if (!response.ok || response.redirected) return
  // Same headers as the server sends with each file.
  const headers = new Headers(response.headers)
  for (const name of ['content-encoding', 'content-length', 'vary', 'etag', 'last-modified']) headers.delete(name)
  const texts = (await response.json()) as Record<string, string>
  for (const [url, key] of missing) {
    const text = texts[new URL(url).pathname]
    if (text === undefined) continue
    headers.set('content-type', `text/${url.endsWith('.css') ? 'css' : 'javascript'}; charset=utf-8`)
    await cache.put(key, new Response(text, { headers }))
  }
}

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: { url: string; revision: string | null }[] }

/** Background Sync (WICG), missing in TypeScript's library. */
interface SyncEvent extends ExtendableEvent {
  readonly tag: string
  readonly lastChance: boolean
}

reportUncaught('worker', self)
const files = splitFiles(self.__WB_MANIFEST)
const precache = precacheApp(self, files.app)
// Never answers /api/, the server's own pages, or pages whose headers depend on the navigation.
const serverPages = pagePaths.filter((path) => pageDetails(path).fromServer)
const shell = precache.createHandlerBoundToURL('/index.html')
registerRoute(
  new NavigationRoute(shell, {
    denylist: [
      /^\/api\//,
      ...serverPages.map((path) => new RegExp(`^${path}(\\?|$)`)),
      new RegExp(`^${sharePath}(\\?|$)`),
      /^\/(healthz|readyz|metrics)$/,
      /\/[^/?]+\.[a-z0-9]+$/i,
    ],
  }),
)
// Only the server sees if another site led here; without its answer the page asks the user.
registerRoute(
  new NavigationRoute(
    async (options) => {
      const response = await fetch(options.request).catch(() => undefined)
      return response?.ok ? response : shell(options)
    },
    { allowlist: [/^\/logout(\?|$)/] },
  ),
)

/** The page mirrors its access token here, and the difference of the clocks. */
async function token(): Promise<string | null> {
  restoreClock(await get(clockKey, sharedStore))
  return (await get<string>(tokenKey, sharedStore)) ?? null
}

registerRoute(
  ({ request, url, sameOrigin }) => sameOrigin && isFileRequest(request, url),
  ({ request, event }) => serveFile(request, event, token),
)

// Sample pictures are public, too large for the precache, and rarely change.
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && /^\/samples\/.+\.(avif|webp)$/.test(url.pathname),
  new CacheFirst({ cacheName: 'rupa-samples' }),
)

registerRoute(
  ({ url, sameOrigin }) => sameOrigin && isEngineFile(url),
  ({ request }) => serveEngineFile(request),
)
self.addEventListener('install', (event) => event.waitUntil(loadEngineUpdate(files.engine).catch(() => undefined)))
self.addEventListener('activate', (event) => event.waitUntil(deleteOldEngineFiles(files.engine).catch(() => undefined)))

registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname === sharePath,
  ({ request }) => receiveShare(request),
  'POST',
)
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname === sharePath,
  ({ request }) => finishShare(request),
)

// fetch reports no upload progress, so a chunk is the unit that can be lost or stall.
const chunks = { httpStack: fetchStack, stalled: 120_000 }
const sender = new Sender({
  uploads: indexedDbStore,
  transport: { upload: tusUpload(async () => ({ Upload }), chunks), post: postJson },
  token,
  announce: (message) => announce(message),
})
const announce = openChannel((message) => {
  if (message.type === 'cancel') sender.abort(message.id)
})

/** Rejects while items wait, so that the browser triggers another sync. */
async function sendWaitingItems(): Promise<void> {
  const { waiting } = await sender.send({ eager: true })
  if (waiting > 0) throw new Error('some uploads still wait')
}

self.addEventListener('sync', ((event: SyncEvent) => {
  if (event.tag === 'upload-queue') event.waitUntil(sendWaitingItems())
}) as EventListener)

self.addEventListener('push', (event) => {
  if (event.data) event.waitUntil(showPush(self, event.data.json(), token))
})
self.addEventListener('notificationclick', (event) => event.waitUntil(openPush(self, event.notification)))

// A new version waits for the user's consent: it must not replace the files of a page in the middle
// of an edit or a payment.
self.addEventListener('message', (event) => {
  if (event.data?.type === 'SKIP_WAITING') void self.skipWaiting()
})
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))
