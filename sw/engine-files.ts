import type { PrecacheEntry } from 'workbox-precaching'

/**
 * The engine that makes previews on the device, with its runtime and model: only for who edits
 * pictures, so not in everybody's precache.
 */
const engineCache = 'rupa-engine'
const folder = '/assets/engine/'

const addressOf = (entry: PrecacheEntry | string) =>
  new URL(typeof entry === 'string' ? entry : entry.url, 'https://rupa.test/').pathname

/** Whether a request is for one of the engine's files. */
export const isEngineFile = (url: URL): boolean => url.pathname.startsWith(folder)

/** The build's files apart: what everybody needs, and the paths of the engine's. */
export function splitFiles(entries: readonly (PrecacheEntry | string)[]): {
  app: (PrecacheEntry | string)[]
  engine: string[]
} {
  const ofEngine = (entry: PrecacheEntry | string) => addressOf(entry).startsWith(folder)
  return { app: entries.filter((entry) => !ofEngine(entry)), engine: entries.filter(ofEngine).map(addressOf) }
}

/**
 * From the cache, and into it the first time; names carry the hash of what is inside, so nothing
 * ever changes under one.
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
 * For a new version: whoever has the engine gets what is new in it, so that it works offline after
 * the update as well.
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

/** Lets go of what only earlier versions need. */
export async function dropOldEngine(files: readonly string[]): Promise<void> {
  if (!(await caches.has(engineCache))) return
  const cache = await caches.open(engineCache)
  for (const { url } of await cache.keys()) if (!files.includes(new URL(url).pathname)) await cache.delete(url)
}

/** Whether the engine is on the device, so that it needs no connection. */
export async function isEngineKept(): Promise<boolean> {
  try {
    return (await caches.has(engineCache)) && (await (await caches.open(engineCache)).keys()).length > 0
  } catch {
    return false
  }
}

/** Frees the space; it is loaded again when it is next needed. */
export async function forgetEngine(): Promise<void> {
  await caches.delete(engineCache)
}
