import { and, inArray, isNull } from 'drizzle-orm'
import type { Executor } from '#server/db/database.ts'
import { appError } from '#server/http/app-error.ts'
import type { InputRef } from '../types.ts'
import { contentKey, findUpload } from './find-upload.ts'
import { type FinishDeps, finishUpload } from './finish-upload.ts'
import { uploads } from './table.ts'

/** A feature that keeps the file makes its own copy. */
export interface StoredInput {
  storageKey: string
  /** SHA-256 of the received content, hexadecimal. */
  sha256: string
  name: string
  contentType: string
  width: number
  height: number
  seconds: number
  bytes: number
}

/** Returns a complete and checked upload of the user. */
export async function requireReadyUpload(deps: FinishDeps, userId: string, id: string): Promise<StoredInput> {
  const found = await findUpload(deps, userId, id)
  if (found.received < found.bytes) throw appError('upload.not_ready')
  const upload = found.status === 'ready' ? found : await finishUpload(deps, found)
  const { name, contentType, width, height, seconds, bytes, sha256 } = upload
  return {
    storageKey: contentKey(id),
    name,
    bytes,
    sha256: sha256 ?? '',
    contentType: contentType ?? '',
    width: width ?? 0,
    height: height ?? 0,
    seconds: seconds ?? 0,
  }
}

/** Marks uploads as used, because the number of unused ones is limited. */
export async function markUploadsUsed(executor: Executor, refs: InputRef[], now: Date): Promise<void> {
  const ids = refs.flatMap((ref) => ('upload' in ref ? [ref.upload] : []))
  if (ids.length === 0) return
  await executor
    .update(uploads)
    .set({ usedAt: now })
    .where(and(inArray(uploads.id, ids), isNull(uploads.usedAt)))
}
