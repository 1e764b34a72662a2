import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { and, eq, inArray } from 'drizzle-orm'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { AppError, appError } from '#server/http/app-error.ts'
import type { ErrorCode } from '#shared/errors.ts'
import { createFileChecker } from './file-check/file-checker.ts'
import type { CheckedFile } from './file-check/task.ts'
import { isVideoName, safeName } from './file-name.ts'
import { contentKey, folderOf, partKey } from './find-upload.ts'
import { dropFiles } from './stored-files.ts'
import { type Upload, uploads } from './table.ts'

export type FinishDeps = Pick<Deps, 'db' | 'store' | 'clock' | 'withFolder'>

const fileChecker = createFileChecker()

/** Checks a local file and stores the kept parts under `kept`; throws the refusal. */
export async function storeChecked(
  { store, withFolder }: Pick<Deps, 'store' | 'withFolder'>,
  { source, kept, owner }: { source: string; kept: string; owner: string },
): Promise<CheckedFile> {
  return await withFolder(async (folder) => {
    const draft = join(folder, 'checked')
    const checked = await fileChecker.check({ source, draft }, owner)
    await store.putFile(kept, draft)
    return checked
  })
}

const running = new Map<string, Promise<Upload>>()

/**
 * Checks a received upload; a refused one is deleted, and the refusal thrown. May be called again
 * after a crash, and concurrently.
 */
export function finishUpload(deps: FinishDeps, upload: Upload): Promise<Upload> {
  const known = running.get(upload.id)
  if (known) return known
  const finishing = deps
    .withFolder(async (folder) => {
      const source = join(folder, 'received')
      try {
        await pipeline(Readable.from(receivedBytes(deps, upload)), createWriteStream(source, { mode: 0o600 }))
      } catch (error) {
        if (error instanceof AppError && error.code === 'file.not_found')
          return await finishedElsewhere(deps, upload.id)
        throw error
      }
      return await storeCheckedUpload(deps, upload, source)
    })
    .finally(() => running.delete(upload.id))
  running.set(upload.id, finishing)
  return finishing
}

async function* receivedBytes({ store }: Pick<Deps, 'store'>, { id, parts }: Upload): AsyncIterable<Uint8Array> {
  for (const { name, bytes } of parts) {
    const { body } = await store.stream(partKey(id, name), { start: 0, end: bytes - 1 })
    yield* body
  }
}

/** The bytes are in a local file. */
export async function storeCheckedUpload(deps: FinishDeps, upload: Upload, source: string): Promise<Upload> {
  const { db, store } = deps
  const { id } = upload
  try {
    const files = { source, kept: contentKey(id), owner: upload.userId }
    const { sha256, contentType, width, height, seconds, bytes } = await storeChecked(deps, files)
    const [ready] = await db
      .update(uploads)
      .set({
        status: 'ready',
        sha256,
        contentType,
        width,
        height,
        seconds,
        bytes,
        received: bytes,
        parts: [],
        name: safeName(upload.name, contentType),
      })
      .where(and(eq(uploads.id, id), eq(uploads.status, 'receiving')))
      .returning()
    if (!ready) return await finishedElsewhere(deps, id)
    await store.delete(upload.parts.map(({ name }) => partKey(id, name))).catch(() => {})
    return ready
  } catch (error) {
    if (error instanceof AppError && error.status < 500) await dropUploads(deps, [id])
    throw isVideoName(upload.name) ? asVideoError(error) : error
  }
}

const videoErrors: Partial<Record<ErrorCode, ErrorCode>> = {
  'upload.not_image': 'upload.not_video',
  'upload.unreadable': 'upload.video_unreadable',
}

/** The sender of a file with a video's name gets no error about images. */
function asVideoError(error: unknown): unknown {
  const code = error instanceof AppError ? videoErrors[error.code] : undefined
  return code ? appError(code, { cause: error }) : error
}

/** Another process was faster, or the upload was deleted meanwhile. */
async function finishedElsewhere(deps: FinishDeps, id: string): Promise<Upload> {
  const [upload] = await deps.db.select().from(uploads).where(eq(uploads.id, id))
  if (upload?.status === 'ready') return upload
  await dropUploads(deps, [id])
  throw appError('upload.not_found')
}

/** Files that cannot be deleted now are swept later. */
export async function dropUploads(
  { db, store, clock }: Pick<Deps, 'db' | 'store' | 'clock'>,
  ids: string[],
): Promise<void> {
  const folders = ids.map((id) => ({ storageKey: folderOf(id) }))
  const keys = await transact(db, async (tx) => {
    await tx.delete(uploads).where(inArray(uploads.id, ids))
    return await dropFiles(tx, folders, clock())
  })
  await store.delete(keys).catch(() => {})
}
