import { randomUUID } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { type Upload, type UploadPart, uploads } from './table.ts'
import { partKey } from './upload-files.ts'

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
