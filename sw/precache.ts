import { cacheNames } from 'workbox-core'
import { cleanupOutdatedCaches, PrecacheController, type PrecacheEntry, PrecacheRoute } from 'workbox-precaching'
import { registerRoute } from 'workbox-routing'

/** Requests at once: as many as a browser opens to one server. */
const lanes = 6
/** All small files in one (src/dev/offline-pack.ts), by their path. */
const packUrl = '/offline-pack.json'
/**
 * Missing files from which on the pack is loaded: after an update most are on the device already.
 */
const worthThePack = 40
const types: Record<string, string> = { js: 'text/javascript', css: 'text/css' }

/**
 * Keeps the app's files on the device. Workbox loads them one after the other, which on a slow
 * connection is mostly waiting; so they are loaded together before, and Workbox finds them there.
 * What fails here it loads again itself, and its failure counts.
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
  const cache = await caches.open(cacheNames.precache)
  const missing = new Map<string, string>()
  for (const [url, key] of controller.getURLsToCacheKeys()) if (!(await cache.match(key))) missing.set(url, key)
  const inPack = new Map([...missing].filter(([url, key]) => key === url && typeOf(url) !== undefined))
  if (inPack.size < worthThePack) return await loadSingly(cache, missing)
  await Promise.all([
    unpack(cache, inPack).catch(() => undefined),
    loadSingly(cache, new Map([...missing].filter(([url]) => !inPack.has(url)))),
  ])
  await loadSingly(cache, inPack)
}

async function loadSingly(cache: Cache, files: ReadonlyMap<string, string>): Promise<void> {
  const waiting = [...files]
  const lane = async () => {
    for (let entry = waiting.shift(); entry; entry = waiting.shift()) {
      const [url, key] = entry
      // Files whose address carries their hash never change; the others are asked for anew.
      const response = await fetch(url, { credentials: 'same-origin', cache: key === url ? 'default' : 'reload' })
      if (response.ok && !response.redirected) await cache.put(key, response)
    }
  }
  await Promise.all(Array.from({ length: lanes }, () => lane().catch(() => undefined)))
}

/** The media type of what may be in the pack. */
const typeOf = (url: string): string | undefined => types[url.split('.').at(-1) ?? '']

/**
 * Puts what the pack holds into the cache, with the headers under which the server sends it; what
 * is done is no longer missing.
 */
async function unpack(cache: Cache, missing: Map<string, string>): Promise<void> {
  const response = await fetch(packUrl, { credentials: 'same-origin', cache: 'no-store' })
  if (!response.ok || response.redirected) return
  const headers = new Headers(response.headers)
  for (const name of ['content-encoding', 'content-length', 'vary', 'etag', 'last-modified']) headers.delete(name)
  const texts = (await response.json()) as Record<string, string>
  for (const [url, key] of missing) {
    const text = texts[new URL(url).pathname]
    if (text === undefined) continue
    headers.set('content-type', `${typeOf(url)}; charset=utf-8`)
    await cache.put(key, new Response(text, { headers }))
    missing.delete(url)
  }
}
