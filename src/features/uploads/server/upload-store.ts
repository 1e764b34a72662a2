import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { DataStore, Upload as TusUpload } from '@tus/utils'
import { and, eq, sql } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { limitRate } from '#server/http/rate-limit.ts'
import { imageLimits, videoLimits } from '#shared/media.ts'
import { addTime, hourMs } from '#shared/time.ts'
import { uploadHours } from '../rules.ts'
import { dropUploads, type FinishDeps } from './finish-upload.ts'
import { beginUpload, findUpload, partKey } from './stored-files.ts'
import { admitStream, guarded } from './stream-guard.ts'
import { type Upload, type UploadPart, uploads } from './table.ts'

const partBytes = 4 * 1024 * 1024

/**
 * Resumes an upload, and resolves to the new end. Bytes are stored in parts, also when the sender
 * breaks off. A part counts only if no other request, in any process, has resumed the upload;
 * otherwise throws `upload.conflict`.
 */
export async function receiveParts(
  { db, store }: Pick<Deps, 'db' | 'store'>,
  { id, received: from }: Pick<Upload, 'id' | 'received'>,
  chunks: AsyncIterable<Uint8Array>,
): Promise<number> {
  const source = chunks[Symbol.asyncIterator]()
  let received = from
  let broken: { reason: unknown } | undefined
  const next = async (): Promise<Uint8Array | undefined> => {
    try {
      const { done, value } = await source.next()
      return done ? undefined : value
    } catch (reason) {
      broken = { reason }
      return undefined
    }
  }
  const storePart = async (first: Uint8Array): Promise<number> => {
    const name = randomUUID()
    let bytes = 0
    async function* content() {
      for (let chunk: Uint8Array | undefined = first; chunk; chunk = bytes < partBytes ? await next() : undefined) {
        bytes += chunk.length
        yield chunk
      }
    }
    await store.put(partKey(id, name), content())
    const part: UploadPart = { name, bytes }
    const parts = sql`${uploads.parts} || ${JSON.stringify([part])}::jsonb`
    const isOurs = and(eq(uploads.id, id), eq(uploads.received, received), eq(uploads.status, 'receiving'))
    const counted = await db
      .update(uploads)
      .set({ received: received + bytes, parts })
      .where(isOurs)
      .returning({ id: uploads.id })
    if (counted.length > 0) return bytes
    await store.delete([partKey(id, name)]).catch(() => {})
    throw appError('upload.conflict')
  }
  try {
    for (let first = await next(); first; first = await next()) {
      received += await storePart(first)
      if (broken) break
    }
  } finally {
    // Not awaited: a stalled source never ends its pending read.
    source.return?.()?.catch(() => {})
  }
  if (broken) throw broken.reason
  return received
}

export type UploadDeps = FinishDeps & Pick<Deps, 'config' | 'spentCredits'>

const lifetimeMs = uploadHours * hourMs
const maxName = 255

/** The announced type sets the limit; the check finds the true type. */
function maxBytesOf(filetype: string): number {
  return filetype.startsWith('video/') ? videoLimits.bytes : imageLimits.bytes
}

export class UploadStore extends DataStore {
  readonly #deps: UploadDeps
  readonly #userId: string

  constructor(deps: UploadDeps, userId: string) {
    super()
    this.#deps = deps
    this.#userId = userId
    this.extensions = ['creation', 'creation-with-upload', 'termination', 'expiration']
  }

  override async create(upload: TusUpload): Promise<TusUpload> {
    const { clock } = this.#deps
    const userId = this.#userId
    const bytes = upload.size ?? 0
    if (bytes === 0) throw appError('upload.empty')
    if (bytes > maxBytesOf(upload.metadata?.filetype ?? '')) throw appError('upload.too_large')
    await limitRate(this.#deps, [{ rule: 'uploads:create', subject: userId, limit: 600, seconds: 600 }])
    const now = clock()
    await beginUpload(this.#deps, {
      id: upload.id,
      userId,
      bytes,
      name: (upload.metadata?.filename ?? '').slice(0, maxName).replaceAll('\0', ''),
      createdAt: now,
      expiresAt: addTime(now, { hours: uploadHours }),
    })
    upload.creation_date = now.toISOString()
    return upload
  }

  override async write(stream: Readable, id: string, offset: number): Promise<number> {
    const upload = await findUpload(this.#deps, this.#userId, id)
    // A complete upload is being checked, or in use, so it must not be written to any more.
    if (upload.received === upload.bytes || upload.received !== offset) throw appError('upload.conflict')
    const leave = admitStream(this.#userId)
    try {
      return await receiveParts(this.#deps, upload, guarded(stream))
    } finally {
      leave()
    }
  }

  override async getUpload(id: string): Promise<TusUpload> {
    const { bytes, received, name, createdAt } = await findUpload(this.#deps, this.#userId, id)
    return new TusUpload({
      id,
      size: bytes,
      offset: received,
      metadata: { filename: name },
      creation_date: createdAt.toISOString(),
    })
  }

  override async remove(id: string): Promise<void> {
    await findUpload(this.#deps, this.#userId, id)
    await dropUploads(this.#deps, [id])
  }

  override getExpiration(): number {
    return lifetimeMs
  }
}
