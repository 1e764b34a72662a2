import type { PrecacheEntry } from 'workbox-precaching'

/**
 * The device engine with its runtime and model is cached apart from the precache: only users who
 * edit pictures need it.
 */
const engineCache = 'rupa-engine'
const folder = '/assets/engine/'

const addressOf = (entry: PrecacheEntry | string) =>
  new URL(typeof entry === 'string' ? entry : entry.url, 'https://rupa.test/').pathname

export const isEngineFile = (url: URL): boolean => url.pathname.startsWith(folder)

/** Splits the build's files into the app's and the paths of the engine's. */
export function splitFiles(entries: readonly (PrecacheEntry | string)[]): {
  app: (PrecacheEntry | string)[]
  engine: string[]
} {
  const ofEngine = (entry: PrecacheEntry | string) => addressOf(entry).startsWith(folder)
  return { app: entries.filter((entry) => !ofEngine(entry)), engine: entries.filter(ofEngine).map(addressOf) }
}

/**
 * Serves from the cache and fills it on first use; names carry a content hash, so a file never
 * changes.
 */
export async function serveEngineFile(request: Request): Promise<Response> {
  const cache = await caches.open(engineCache)
  const { pathname } = new URL(request.url)
  const kept = await cache.match(pathname)
  if (kept) return kept
  const response = await fetch(request)
  if (response.ok) await cache.put(pathname, response.clone()).catch(() => undefined)
  return response
}

/**
 * Loads changed engine files of a new version if the engine is cached, so that it works offline
 * after the update.
 */
export async function loadEngineUpdate(files: readonly string[]): Promise<void> {
  if (!(await isEngineKept())) return
  const cache = await caches.open(engineCache)
  await Promise.all(
    files.map(async (file) => {
      if (!(await cache.match(file))) await cache.add(file)
    }),
  )
}

/** Deletes engine files of earlier versions. */
export async function dropOldEngine(files: readonly string[]): Promise<void> {
  if (!(await caches.has(engineCache))) return
  const cache = await caches.open(engineCache)
  for (const { url } of await cache.keys()) if (!files.includes(new URL(url).pathname)) await cache.delete(url)
}

/** True when the engine is cached and needs no connection. */
export async function isEngineKept(): Promise<boolean> {
  try {
    return (await caches.has(engineCache)) && (await (await caches.open(engineCache)).keys()).length > 0
  } catch {
    return false
  }
}

/** Frees the space; the engine loads again when it is needed. */
export async function forgetEngine(): Promise<void> {
  await caches.delete(engineCache)
}
