import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import { serveStatic } from '@hono/node-server/serve-static'
import type { Context, MiddlewareHandler } from 'hono'
import { serveStatic as serveContent } from 'hono/serve-static'
import { publicUrlPlaceholder } from '#shared/brand.ts'
import { appError } from './app-error.ts'
import { errorResponse } from './error-response.ts'
import { type FindPage, type HeadOf, withPageHead } from './page-head.ts'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
}

interface PageDocument {
  type: string
  plain: Uint8Array<ArrayBuffer>
  brotli: Uint8Array<ArrayBuffer>
  /** Of its style element, as in a content security policy. */
  styleHash: string | undefined
}

/**
 * Sends prerendered pages (English with `?lang=en`), sitemap.xml and robots.txt with the server's
 * own address.
 */
function pageDocuments(distDir: string, { origin }: URL): (c: Context) => Promise<Response | undefined> {
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
    const { type, plain, brotli, styleHash } = await ready
    if (styleHash) c.set('inlineStyle', styleHash)
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
  const style = /<style>(.*?)<\/style>/s.exec(text)?.[1]
  return {
    type: types[extname(path)] as string,
    plain,
    brotli: await promisify(brotliCompress)(plain),
    styleHash: style === undefined ? undefined : `sha256-${createHash('sha256').update(style).digest('base64')}`,
  }
}

/** Build metadata, prerendered pages, and compressed variants under their own names. */
const hidden = /^\/(vite-manifest\.json|prerendered\/.*|.*\.br)$|\/\./

/** Sends built files, else the start page, with 404 where the app has no page either. */
export function staticFiles({
  distDir,
  publicUrl,
  findPage,
  headOf,
}: {
  distDir: string
  publicUrl: URL
  findPage: FindPage
  headOf: HeadOf
}): (c: Context) => Promise<Response> {
  // Without a build there is only the API, as in development.
  if (!existsSync(distDir)) return async (c) => missing(c)
  const file = serveStatic({ root: distDir, precompressed: true })
  const asset = assets(distDir)
  const start = serveStatic({ root: distDir, precompressed: true, path: 'index.html' })
  const document = pageDocuments(distDir, publicUrl)
  let startPage: Promise<string> | undefined
  return async (c) => {
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD') {
      return errorResponse(c, appError('request.method'), { allow: 'GET, HEAD' })
    }
    const { path } = c.req
    const page = await document(c)
    const hashed = path.startsWith('/assets/')
    const found = page ?? (hidden.test(path) ? undefined : await responseOf(hashed ? asset : file, c))
    const pattern = findPage(path)
    c.set('page', pattern ?? (found && !page ? path : '(no such page)'))
    if (found) return cached(found, hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    // A missing file (an old build's script) must not get the start page.
    if (/\.[a-z0-9]+$/i.test(path) && !c.req.header('accept')?.includes('text/html')) return missing(c)
    const head = await headOf({
      path,
      language: c.req.query('lang'),
      acceptLanguage: c.req.header('accept-language'),
    })
    if (head) {
      startPage ??= readFile(join(distDir, 'index.html'), 'utf8')
      return c.html(withPageHead(await startPage, head), head.status, {
        'x-robots-tag': 'noindex, nofollow, noimageindex',
        'cache-control': 'no-store',
        vary: 'Accept-Language',
      })
    }
    const anyPage = await responseOf(start, c)
    if (!anyPage) return missing(c)
    // Private pages: search engines only index pages with a document.
    anyPage.headers.set('x-robots-tag', 'noindex')
    return cached(
      pattern === undefined ? new Response(anyPage.body, { status: 404, headers: anyPage.headers }) : anyPage,
      'no-cache',
    )
  }
}

/** Never change, and a page requests many at a time, so each is read once. */
function assets(distDir: string): MiddlewareHandler {
  const known = new Map<string, Uint8Array<ArrayBuffer>>()
  const getContent = async (path: string) => {
    const content = known.get(path) ?? (await readFile(path).catch(() => null))
    if (content) known.set(path, content)
    return content
  }
  return serveContent({ root: distDir, precompressed: true, join, getContent })
}

async function responseOf(handler: MiddlewareHandler, c: Context): Promise<Response | undefined> {
  const response = await handler(c, async () => {})
  return response instanceof Response ? response : undefined
}

function cached(response: Response, control: string): Response {
  response.headers.set('cache-control', control)
  return response
}

function missing(c: Context): Response {
  return errorResponse(c, appError('request.not_found'))
}
