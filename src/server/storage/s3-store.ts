import { createHash, createHmac } from 'node:crypto'
import { createWriteStream, openAsBlob } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError, appError } from '../http/app-error.ts'
import { createS3Client, withBucket } from './s3-client.ts'
import { publicOriginOf } from './storage-config.ts'
import { type FileStore, isFullDisk, requireKey, type SignedAddressOptions } from './store.ts'
import type { WithFolder } from './work-folder.ts'

/**
 * AWS Signature Version 4 in the query. (s3mini leaves apostrophes in file names unencoded, so that
 * strict storages refuse its signatures.)
 */
function signS3Address(
  address: URL,
  { origin, key, now }: { origin: string; key: string; now: Date },
  { seconds, contentType, contentDisposition }: SignedAddressOptions,
): string {
  const path = `${address.pathname}/${key.split('/').map(encode).join('/')}`
  const moment = now.toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const scope = [moment.slice(0, 8), address.searchParams.get('region') ?? 'auto', 's3', 'aws4_request']
  const query = Object.entries({
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': [decodeURIComponent(address.username), ...scope].join('/'),
    'X-Amz-Date': moment,
    'X-Amz-Expires': String(seconds),
    'X-Amz-SignedHeaders': 'host',
    'response-cache-control': `private, max-age=${seconds}, immutable`,
    'response-content-disposition': contentDisposition,
    'response-content-type': contentType,
  })
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .join('&')
  const request = ['GET', path, query, `host:${new URL(origin).host}\n`, 'host', 'UNSIGNED-PAYLOAD'].join('\n')
  const hash = createHash('sha256').update(request).digest('hex')
  const text = ['AWS4-HMAC-SHA256', moment, scope.join('/'), hash].join('\n')
  const secret: string | Buffer = `AWS4${decodeURIComponent(address.password)}`
  const signature = hmac(scope.reduce<string | Buffer>(hmac, secret), text).toString('hex')
  return `${origin}${path}?${query}&X-Amz-Signature=${signature}`
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

const concurrency = 8
/** Most tries to read a file if its connection breaks. */
const maxReads = 3
/** Error codes of full storages. */
const noRoom = new Set(['InsufficientStorage', 'QuotaExceeded', 'XMinioStorageFull', 'XMinioStorageQuotaExceeded'])

/**
 * Path style, one request each; no multipart or checksums, which some storages lack. `public` in
 * the address is the origin at which browsers reach the storage.
 */
export function createS3Store(address: URL, withFolder: WithFolder): FileStore {
  const client = createS3Client(address)
  const origin = publicOriginOf(address)

  const send = async (key: string, body: Buffer | Blob, bytes: number): Promise<number> => {
    const name = requireKey(key)
    const put = () => client.putObject(name, body, undefined, undefined, undefined, bytes)
    await withBucket(client, put).catch(asAppError)
    return bytes
  }
  const sendFile = async (key: string, path: string) => {
    const file = await openAsBlob(path)
    return await send(key, file, file.size)
  }
  const stream: FileStore['stream'] = async (key, range) => {
    const ask = () => (range ? client.getObjectRaw(key, false, range.start, range.end + 1) : client.getObjectRaw(key))
    const response = await withBucket(client, ask).catch(asAppError)
    const { headers, body } = response
    const bytes = Number(headers.get('content-range')?.split('/')[1] ?? headers.get('content-length'))
    return { body: body ?? new Blob([]).stream(), bytes }
  }
  async function* list(folder: string): AsyncIterable<string> {
    let token: string | undefined
    do {
      const page = await client.listObjectsPaged('/', folder, 1000, token).catch(asAppError)
      for (const { Key } of page?.objects ?? []) yield Key
      token = page?.nextContinuationToken
    } while (token)
  }

  return {
    async put(key, content) {
      if (content instanceof Uint8Array) return await send(key, Buffer.from(content), content.length)
      // The length must be known before, and a retry needs the content again.
      return await withFolder(async (folder) => {
        const path = join(folder, 'content')
        await save(content, path)
        return await sendFile(key, path)
      })
    },
    async putFile(key, path) {
      await sendFile(key, path)
    },
    async get(key) {
      const { body } = await stream(key)
      return new Uint8Array(await new Response(body).arrayBuffer().catch(asAppError))
    },
    stream,
    async fetch(key, path) {
      for (let tries = 1; ; tries += 1) {
        const { body, bytes } = await stream(key)
        const saved = await save(body, path).catch((error: unknown) => {
          if (error instanceof AppError || tries === maxReads) return asAppError(error)
        })
        if (saved === bytes) return
        if (tries === maxReads) throw appError('server.unavailable', { retryAfter: 5 })
      }
    },
    async copy(from, to) {
      const names = [requireKey(from), requireKey(to)] as const
      await withBucket(client, () => client.copyObject(...names)).catch(asAppError)
    },
    async delete(keys) {
      const each: string[] = []
      for (const key of keys) {
        if (!key.endsWith('/')) each.push(requireKey(key))
        else for await (const below of list(key)) each.push(below)
      }
      for (let at = 0; at < each.length; at += concurrency) {
        await Promise.all(each.slice(at, at + concurrency).map((key) => client.deleteObject(key))).catch(asAppError)
      }
    },
    list,
    ...(origin && {
      signedAddress: (key, as) => signS3Address(address, { origin, key, now: new Date() }, as),
    }),
    async check() {
      await client.listObjectsPaged('/', 'check/', 1)
    },
  }
}

async function save(content: AsyncIterable<Uint8Array>, path: string): Promise<number> {
  const file = createWriteStream(path, { mode: 0o600 })
  await pipeline(Readable.from(content), file).catch((error: unknown) => {
    throw isFullDisk(error) ? appError('storage.full', { retryAfter: 60, cause: error }) : error
  })
  return file.bytesWritten
}

function asAppError(error: unknown): never {
  if (error instanceof AppError) throw error
  const { status, serviceCode = '' } = error as { status?: number; serviceCode?: string }
  if (status === 404 && serviceCode !== 'NoSuchBucket') throw appError('file.not_found', { cause: error })
  if (status === 507 || noRoom.has(serviceCode)) throw appError('storage.full', { retryAfter: 60, cause: error })
  throw appError('server.unavailable', { retryAfter: 5, cause: error })
}
