import { eq } from 'drizzle-orm'
import type { Context } from 'hono'
import { validate as isUuid } from 'uuid'
import { uploads } from '#features/uploads/server/uploads.ts'
import { isApiKeyAlive } from '#server/auth/require-api-key.ts'
import { isSessionAlive } from '#server/auth/sessions.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { fileAddressSeconds, signingKeys } from '#server/storage/signed-address.ts'
import type { FileStore } from '#server/storage/store.ts'
import { generationFiles } from '../table.ts'

/** Prevents scripts in a picture from running, wherever the file is opened. */
const fileSecurityPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; sandbox"

interface SentFile {
  storageKey: string
  contentType: string
  bytes: number
}

/** Bytes that replace as many bytes of a file from the offset `at`. */
export interface Patch {
  at: number
  bytes: Uint8Array
}

/** Sends a file to an authorized client; supports ranges and conditions (RFC 9110). */
export async function sendFile(
  store: Pick<FileStore, 'stream'>,
  c: Context,
  file: SentFile,
  own: Record<string, string> & { etag: string },
  patches: readonly Patch[] = [],
) {
  const headers: Record<string, string> = {
    'content-type': file.contentType,
    'content-security-policy': fileSecurityPolicy,
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    'accept-ranges': 'bytes',
    ...own,
  }
  if (namesTag(c.req.header('if-none-match'), own.etag)) return c.body(null, 304, headers)

  const range = rangeOf(c.req.header('range'), c.req.header('if-range'), own.etag, file.bytes)
  if (range === 'unsatisfiable') return c.body(null, 416, { ...headers, 'content-range': `bytes */${file.bytes}` })
  const [start, end] = range ?? [0, file.bytes - 1]
  headers['content-length'] = String(end - start + 1)
  if (range) headers['content-range'] = `bytes ${start}-${end}/${file.bytes}`
  const status = range ? 206 : 200
  if (c.req.method === 'HEAD') return c.body(null, status, headers)
  const { body } = await store.stream(file.storageKey, { start, end })
  return c.body(patches.length === 0 ? body : body.pipeThrough(patching(patches, start)), status, headers)
}

/** `start` is the stream's offset in the file. */
function patching(patches: readonly Patch[], start: number): TransformStream<Uint8Array, Uint8Array> {
  let from = start
  return new TransformStream({
    transform(part, controller) {
      const to = from + part.length
      const over = patches.filter(({ at, bytes }) => at < to && at + bytes.length > from)
      const sent = over.length === 0 ? part : Uint8Array.from(part)
      for (const { at, bytes } of over) {
        const [first, last] = [Math.max(at, from), Math.min(at + bytes.length, to)]
        sent.set(bytes.subarray(first - at, last - at), first - from)
      }
      from = to
      controller.enqueue(sent)
    },
  })
}

function namesTag(header: string | undefined, etag: string): boolean {
  if (!header) return false
  return header.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)
}

/** Several ranges, or an unknown unit, return the whole file, as the RFC allows. */
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

/** A result that is edited again with the same tool keeps its name. */
export function resultName(source: string | undefined, tool: string, extension: string, index = 0): string {
  const number = index === 0 ? '' : `-${index + 1}`
  const stem = uploads.safeStem(source ?? '').replace(new RegExp(`-${tool}(-\\d+)?$`), '')
  return `${stem}-${tool}${number}.${extension}`
}

/** Gives the name in ASCII and, for clients that support RFC 8187, in full (RFC 6266). */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const ascii = name
    .normalize('NFKD')
    .replace(/[^\x20-\x7e]/g, '')
    .replace(/["\\%]/g, '_')
  const full = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${full}`
}

/** The object storage's own address works without a session, so its validity is short. */
const redirectSeconds = 300
const marginSeconds = 60

/** Any client may use the signed address while the session or API key lives that got it. */
export async function serveFile(
  { db, store, config, clock }: Pick<Deps, 'db' | 'store' | 'config' | 'clock'>,
  c: Context,
) {
  const id = c.req.param('id') ?? ''
  const { session, expires, signature, download } = c.req.query()
  const seconds = session ? fileAddressSeconds({ id, session, expires, signature }, signingKeys(config), clock()) : 0
  const isAlive = async (holder: string) =>
    (await isSessionAlive({ db, clock, config }, holder)) || (await isApiKeyAlive({ db, clock }, holder))
  if (!session || seconds === 0 || !(await isAlive(session))) throw appError('file.link_invalid')
  const [file] = isUuid(id) ? await db.select().from(generationFiles).where(eq(generationFiles.id, id)) : []
  if (!file) throw appError('file.not_found')

  const etag = `"${file.id}"`
  const disposition = contentDisposition(download === undefined ? 'inline' : 'attachment', file.name)
  // Lists load dozens of thumbnails, which are faster without a redirect.
  if (store.signedAddress && file.role !== 'thumbnail' && c.req.method === 'GET') {
    const brief = Math.min(seconds, redirectSeconds)
    const as = { seconds: brief, contentType: file.contentType, contentDisposition: disposition }
    const location = store.signedAddress(file.storageKey, as)
    return c.body(null, 302, { location, 'cache-control': `private, max-age=${Math.max(0, brief - marginSeconds)}` })
  }
  return await sendFile(store, c, file, {
    etag,
    'content-disposition': disposition,
    'cache-control': `private, max-age=${seconds}, immutable`,
  })
}
