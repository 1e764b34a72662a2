import { filesCachePrefix } from '#client/device/forget.ts'
import { readToken } from '#shared/session.ts'

const maxFiles = 160
const maxFileBytes = 6 * 1024 * 1024
const maxBytes = 64 * 1024 * 1024

/** Only thumbnails of custom edit files are cached; the originals can be very large. */
const isThumbnail = ({ pathname, searchParams }: URL) =>
  pathname.startsWith('/api/custom_edit_files/') && searchParams.has('size')

/** Only whole files for an <img> or the app; downloads and ranges of videos go to the network. */
export function isFileRequest(request: Request, url: URL): boolean {
  return (
    request.method === 'GET' &&
    (url.pathname.startsWith('/api/files/') || isThumbnail(url)) &&
    request.mode !== 'navigate' &&
    !request.headers.has('range') &&
    !url.searchParams.has('download')
  )
}

/**
 * A file never changes under its path, so the changing signature in the query is not part of the
 * key. Without a signed-in user nothing is read or cached.
 */
export async function serveFile(
  request: Request,
  event: { waitUntil(work: Promise<unknown>): void },
  token: () => Promise<string | null>,
): Promise<Response> {
  const user = readToken(await token())?.user.id
  if (!user) return fetch(request)
  const key = new URL(request.url).pathname
  // caches.match() does not open the cache: one emptied at sign-out must not be created again.
  const kept = await caches.match(key, { cacheName: filesCachePrefix + user })
  if (kept) return kept
  // A redirect to the storage's origin can be cached only if the response is readable (CORS).
  const response = await fetch(request.mode === 'no-cors' ? new Request(request, { mode: 'cors' }) : request)
  if (response.status === 200) {
    event.waitUntil(cacheFile(user, key, response.clone(), token).catch(() => undefined))
  }
  return response
}

async function cacheFile(
  user: string,
  key: string,
  response: Response,
  token: () => Promise<string | null>,
): Promise<void> {
  const body = await response.blob()
  if (body.size > maxFileBytes) return
  // The user may have signed out while this was loading.
  if (readToken(await token())?.user.id !== user) return
  const cache = await caches.open(filesCachePrefix + user)
  await cache.put(
    key,
    new Response(body, {
      headers: {
        'content-type': response.headers.get('content-type') ?? body.type,
        'content-length': String(body.size),
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      },
    }),
  )
  if (readToken(await token())?.user.id !== user) {
    await caches.delete(filesCachePrefix + user)
    return
  }
  await trim(cache)
}

/** keys() lists entries in insertion order. */
async function trim(cache: Cache): Promise<void> {
  const keys = await cache.keys()
  const sizes = await Promise.all(
    keys.map(async (kept) => Number((await cache.match(kept))?.headers.get('content-length') ?? 0)),
  )
  let bytes = sizes.reduce((sum, size) => sum + size, 0)
  for (let index = 0; index < keys.length; index++) {
    const oldest = keys[index]
    if (!oldest || (keys.length - index <= maxFiles && bytes <= maxBytes)) return
    await cache.delete(oldest)
    bytes -= sizes[index] ?? 0
  }
}
