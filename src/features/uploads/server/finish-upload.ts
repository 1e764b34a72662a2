import { and, eq } from 'drizzle-orm'
import type { ErrorCode } from '#contract/errors.ts'
import type { Deps } from '#server/deps.ts'
import { AppError, appError } from '#server/http/app-error.ts'
import { createFileChecker } from './file-check/file-checker.ts'
import type { CheckedFile } from './file-check/task.ts'
import { isVideoName, safeName } from './file-name.ts'
import { contentKey, receivedKey, storageKeys } from './stored-upload.ts'
import { type Upload, uploads } from './table.ts'

export type FinishDeps = Pick<Deps, 'db' | 'store' | 'clock'>

const fileChecker = createFileChecker()

/**
 * Checks a stored file as one that was uploaded, and stores what is kept of it; throws the
 * refusal.
 */
export function checkStored(
  { store }: Pick<Deps, 'store'>,
  { received, kept, owner }: { received: string; kept: string; owner: string },
): Promise<CheckedFile> {
  return store.make(kept, (draft) => store.withPath(received, (source) => fileChecker.check({ source, draft }, owner)))
}

const running = new Map<string, Promise<Upload>>()

/**
 * Checks an upload of which every byte has arrived, and makes it ready. One that is refused is
 * deleted, and the refusal thrown. May be called again after a crash, and by several at once.
 */
export function finishUpload(deps: FinishDeps, upload: Upload): Promise<Upload> {
  const known = running.get(upload.id)
  if (known) return known
  const finishing = finish(deps, upload).finally(() => running.delete(upload.id))
  running.set(upload.id, finishing)
  return finishing
}

async function finish(deps: FinishDeps, upload: Upload): Promise<Upload> {
  const { db, store } = deps
  const { id } = upload
  try {
    const files = { received: receivedKey(id), kept: contentKey(id), owner: upload.userId }
    const { sha256, contentType, width, height, seconds, bytes } = await checkStored(deps, files)
    const [ready] = await db
      .update(uploads)
      .set({
        ...{ status: 'ready', sha256, contentType, width, height, seconds, bytes, received: bytes },
        name: safeName(upload.name, contentType),
      })
      .where(and(eq(uploads.id, id), eq(uploads.status, 'receiving')))
      .returning()
    if (!ready) return await finishedElsewhere(deps, id)
    await store.delete([receivedKey(id)])
    return ready
  } catch (error) {
    if (error instanceof AppError && error.code === 'file.not_found') return await finishedElsewhere(deps, id)
    if (error instanceof AppError && error.status < 500) await dropUploads(deps, [id])
    throw isVideoName(upload.name) ? asOfVideo(error) : error
  }
}

const ofVideos: Partial<Record<ErrorCode, ErrorCode>> = {
  'upload.not_image': 'upload.not_video',
  'upload.unreadable': 'upload.video_unreadable',
}

/** Whoever sent what is called a video is not told of images. */
function asOfVideo(error: unknown): unknown {
  const code = error instanceof AppError ? ofVideos[error.code] : undefined
  return code ? appError(code, { cause: error }) : error
}

/** Another process was faster, or it was deleted meanwhile. */
async function finishedElsewhere(deps: FinishDeps, id: string): Promise<Upload> {
  const [upload] = await deps.db.select().from(uploads).where(eq(uploads.id, id))
  if (upload?.status === 'ready') return upload
  await dropUploads(deps, [id])
  throw appError('upload.not_found')
}

/** Deletes uploads with their files. */
export async function dropUploads({ db, store }: Pick<Deps, 'db' | 'store'>, ids: string[]): Promise<void> {
  for (const id of ids) await db.delete(uploads).where(eq(uploads.id, id))
  await store.delete(storageKeys(ids))
}
