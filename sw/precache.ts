import { cacheNames } from 'workbox-core'
import { cleanupOutdatedCaches, PrecacheController, type PrecacheEntry, PrecacheRoute } from 'workbox-precaching'
import { registerRoute } from 'workbox-routing'

/** Requests at once: as many as a browser opens to one server. */
const lanes = 6

/**
 * Keeps the app's files on the device. Workbox loads them one after the other, which on a slow connection is mostly waiting; so they
 * are loaded several at a time before, and Workbox finds them there. What fails here it loads again itself, and its failure counts.
 */
export function precacheApp(worker: ServiceWorkerGlobalScope, entries: (PrecacheEntry | string)[]): PrecacheController {
  const controller = new PrecacheController()
  controller.addToCacheList(entries)
  worker.addEventListener('install', (event) => {
    event.waitUntil(loadAhead(controller).then(() => controller.install(event)))
  })
  worker.addEventListener('activate', (event) => event.waitUntil(controller.activate(event)))
  registerRoute(new PrecacheRoute(controller))
  cleanupOutdatedCaches()
  return controller
}

async function loadAhead(controller: PrecacheController): Promise<void> {
  const waiting = [...controller.getURLsToCacheKeys()]
  const cache = await caches.open(cacheNames.precache)
  const lane = async () => {
    for (let entry = waiting.shift(); entry; entry = waiting.shift()) {
      const [url, key] = entry
      if (await cache.match(key)) continue
      // Files whose address carries their hash never change; the others are asked for anew.
      const response = await fetch(url, { credentials: 'same-origin', cache: key === url ? 'default' : 'reload' })
      if (response.ok && !response.redirected) await cache.put(key, response)
    }
  }
  await Promise.all(Array.from({ length: lanes }, () => lane().catch(() => undefined)))
}
