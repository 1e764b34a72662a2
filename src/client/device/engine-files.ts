import type { PrecacheEntry } from 'workbox-precaching'

/** Cached apart from the precache, because only users who edit pictures need it. */
const engineCache = 'rupa-engine'
const folder = '/assets/engine/'

const pathOf = (entry: PrecacheEntry | string) =>
  new URL(typeof entry === 'string' ? entry : entry.url, 'https://rupa.test/').pathname

export const isEngineFile = (url: URL): boolean => url.pathname.startsWith(folder)

export function splitFiles(entries: readonly (PrecacheEntry | string)[]): {
  app: (PrecacheEntry | string)[]
  engine: string[]
} {
  const ofEngine = (entry: PrecacheEntry | string) => pathOf(entry).startsWith(folder)
  return { app: entries.filter((entry) => !ofEngine(entry)), engine: entries.filter(ofEngine).map(pathOf) }
}

/** Fills the cache on first use; names carry a content hash, so a file never changes. */
export async function serveEngineFile(request: Request): Promise<Response> {
  const cache = await caches.open(engineCache)
  const { pathname } = new URL(request.url)
  const kept = await cache.match(pathname)
  if (kept) return kept
  const response = await fetch(request)
  if (response.ok) await cache.put(pathname, response.clone()).catch(() => undefined)
  return response
}

/** Hashes have eight characters, hyphens among them. */
const withoutHash = (path: string) => path.replace(/-.{8}(\.\w+)$/, '$1')

/**
 * Loads the new version of the files that the device has, so that the engine stays usable offline.
 * A network that was never loaded is not loaded for an update.
 */
export async function loadEngineUpdate(current: readonly string[]): Promise<void> {
  if (!(await isEngineCached())) return
  const cache = await caches.open(engineCache)
  const held = new Set((await cache.keys()).map(({ url }) => withoutHash(new URL(url).pathname)))
  const files = current.filter((file) => held.has(withoutHash(file)))
  await Promise.all(
    files.map(async (file) => {
      if (!(await cache.match(file))) await cache.add(file)
    }),
  )
}

export async function deleteOldEngineFiles(files: readonly string[]): Promise<void> {
  if (!(await caches.has(engineCache))) return
  const cache = await caches.open(engineCache)
  for (const { url } of await cache.keys()) if (!files.includes(new URL(url).pathname)) await cache.delete(url)
}

export async function isEngineCached(): Promise<boolean> {
  try {
    return (await caches.has(engineCache)) && (await (await caches.open(engineCache)).keys()).length > 0
  } catch {
    return false
  }
}

export async function deleteEngineCache(): Promise<void> {
  await caches.delete(engineCache)
}

/** Bytes; smaller files may come in a single burst, whose speed says nothing. */
const burst = 15_000

/**
 * Bytes per second of the fastest file that came from the network; undefined if none did. Says more
 * than `effectiveType`, which on a first visit is a guess.
 */
export function measuredSpeed(
  files: readonly Pick<PerformanceResourceTiming, 'transferSize' | 'responseStart' | 'responseEnd'>[],
): number | undefined {
  const speeds = files
    .filter(({ transferSize }) => transferSize > burst)
    .map(({ transferSize, responseStart, responseEnd }) => (1000 * transferSize) / (responseEnd - responseStart))
  return speeds.length > 0 ? Math.max(...speeds) : undefined
}
