import { eq } from 'drizzle-orm'
import type { Context } from 'hono'
import { validate as isUuid } from 'uuid'
import { account } from '#features/account/server/account.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { fileAddressSeconds, signingKeys } from '#server/storage/signed-address.ts'
import { generationFiles } from '../table.ts'
import { contentDisposition } from './file-name.ts'

/** Nothing in a picture may run, wherever it is opened. */
const fileSecurityPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; sandbox"

/** How long the storage's own address of a file works; whoever has it needs no session. */
const redirectSeconds = 300
const marginSeconds = 60

/**
 * Serves a stored file to whoever has its signed address, while the session lives that was given
 * it; ranges and conditions by RFC 9110.
 */
export async function serveFile(
  { db, store, config, clock }: Pick<Deps, 'db' | 'store' | 'config' | 'clock'>,
  c: Context,
) {
  const id = c.req.param('id') ?? ''
  const { session, expires, signature, download } = c.req.query()
  const seconds = session ? fileAddressSeconds({ id, session, expires, signature }, signingKeys(config), clock()) : 0
  if (!session || seconds === 0 || !(await account.isSessionAlive({ db, clock, config }, session)))
    throw appError('file.link_invalid')
  const [file] = isUuid(id) ? await db.select().from(generationFiles).where(eq(generationFiles.id, id)) : []
  if (!file) throw appError('file.not_found')

  const etag = `"${file.id}"`
  const disposition = contentDisposition(download === undefined ? 'inline' : 'attachment', file.name)
  // Small pictures are fetched by the dozen, and are faster without a second request.
  if (store.signedAddress && file.role !== 'thumbnail' && c.req.method === 'GET') {
    const brief = Math.min(seconds, redirectSeconds)
    const as = { seconds: brief, contentType: file.contentType, contentDisposition: disposition }
    const location = store.signedAddress(file.storageKey, as)
    return c.body(null, 302, { location, 'cache-control': `private, max-age=${Math.max(0, brief - marginSeconds)}` })
  }
  const headers: Record<string, string> = {
    'content-type': file.contentType,
    'content-disposition': disposition,
    'content-security-policy': fileSecurityPolicy,
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': `private, max-age=${seconds}, immutable`,
    'accept-ranges': 'bytes',
    etag,
  }
  if (namesTag(c.req.header('if-none-match'), etag)) return c.body(null, 304, headers)

  const range = rangeOf(c.req.header('range'), c.req.header('if-range'), etag, file.bytes)
  if (range === 'unsatisfiable') return c.body(null, 416, { ...headers, 'content-range': `bytes */${file.bytes}` })
  const [start, end] = range ?? [0, file.bytes - 1]
  headers['content-length'] = String(end - start + 1)
  if (range) headers['content-range'] = `bytes ${start}-${end}/${file.bytes}`
  const status = range ? 206 : 200
  if (c.req.method === 'HEAD') return c.body(null, status, headers)
  const { body } = await store.stream(file.storageKey, { start, end })
  return c.body(body, status, headers)
}

function namesTag(header: string | undefined, etag: string): boolean {
  if (!header) return false
  return header.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)
}

/**
 * One range; several at once, or one in words we don't know, are answered with the whole file, as
 * the RFC allows.
 */
function rangeOf(
  header: string | undefined,
  ifRange: string | undefined,
  etag: string,
  bytes: number,
): [number, number] | 'unsatisfiable' | undefined {
  const asked = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '')
  if (!asked || (ifRange && ifRange.trim() !== etag)) return undefined
  const [, from = '', to = ''] = asked
  if (from === '' && to === '') return undefined
  if (from === '') {
    const last = Math.min(Number(to), bytes)
    return last === 0 ? 'unsatisfiable' : [bytes - last, bytes - 1]
  }
  const start = Number(from)
  const end = to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1)
  if (to !== '' && Number(to) < start) return undefined
  return start < bytes ? [start, end] : 'unsatisfiable'
}
