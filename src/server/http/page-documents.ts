import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import type { Context } from 'hono'
import { publicUrlPlaceholder } from '#shared/public-address.ts'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
}

interface PageDocument {
  type: string
  plain: Uint8Array<ArrayBuffer>
  brotli: Uint8Array<ArrayBuffer>
}

/**
 * Sends prerendered pages (English with `?lang=en`), sitemap.xml and robots.txt with the server's
 * own address.
 */
export function pageDocuments(distDir: string, { origin }: URL): (c: Context) => Promise<Response | undefined> {
  const dir = join(distDir, 'prerendered')
  const names = existsSync(dir) ? readdirSync(dir, { recursive: true, encoding: 'utf8' }) : []
  const files = new Map(
    names.flatMap((name) => (extname(name) in types ? [[addressOf(name.replaceAll('\\', '/')), name] as const] : [])),
  )
  // Read once, on first request.
  const known = new Map<string, Promise<PageDocument>>()
  return async (c) => {
    const { path, url } = c.req
    const bare = path.replace(/(?<=.)\/$/, '')
    if (bare !== path && files.has(bare)) return c.redirect(bare + new URL(url).search, 301)
    const inEnglish = c.req.query('lang') === 'en' ? files.get(`/en${path}`) : undefined
    const name = inEnglish ?? files.get(path)
    if (!name) return undefined
    const ready = known.get(name) ?? readDocument(join(dir, name), origin)
    known.set(name, ready)
    const { type, plain, brotli } = await ready
    const compressed = /\bbr\b/.test(c.req.header('accept-encoding') ?? '')
    const headers = { 'content-type': type, vary: 'Accept-Encoding', ...(compressed && { 'content-encoding': 'br' }) }
    return new Response(compressed ? brotli : plain, { headers })
  }
}

/** `pricing.html` is the document of /pricing, and `en/pricing.html` its English version. */
const addressOf = (name: string) => `/${name.replace(/\.html$/, '').replace(/(^|\/)home$/, '$1')}`

async function readDocument(path: string, origin: string): Promise<PageDocument> {
  const text = await readFile(path, 'utf8')
  const plain = Buffer.from(text.replaceAll(publicUrlPlaceholder, origin))
  return { type: types[extname(path)] as string, plain, brotli: await promisify(brotliCompress)(plain) }
}
