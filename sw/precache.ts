import { cacheNames } from 'workbox-core'
import { cleanupOutdatedCaches, PrecacheController, type PrecacheEntry, PrecacheRoute } from 'workbox-precaching'
import { registerRoute } from 'workbox-routing'

/** The pack is loaded from this many missing files on; after an update most are on the device. */
const minMissingForPack = 40

/**
 * Workbox requests files one by one: 50 seconds for two hundred small files at 400 kbit/s and 400
 * ms, also with six requests at a time. So the files of the pack are put into its cache first.
 */
export function precacheApp(worker: ServiceWorkerGlobalScope, entries: (PrecacheEntry | string)[]): PrecacheController {
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

/** The pack is a single file (src/build/offline-pack.ts). */
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
