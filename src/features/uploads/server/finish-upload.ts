import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Executor } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { createFairQueue } from '#server/fair-queue.ts'
import { AppError, appError } from '#server/http/app-error.ts'
import { createTaskThread } from '#server/task-thread.ts'
import type { ErrorCode } from '#shared/errors.ts'
import type { InputRef } from '../rules.ts'
import type { CheckedFile, FileCheckTask, ThreadReply } from './file-check/task.ts'
import { contentKey, dropFiles, findUpload, folderOf, partKey } from './stored-files.ts'
import { type Upload, uploads } from './table.ts'

const extensions: Record<string, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/heic': 'heic',
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'video/webm': 'webm',
}
const maxStem = 80

/**
 * Removes paths and characters that are unsafe in a file system or header, and adds the extension
 * of the true content type.
 */
export function safeName(given: string, contentType: string): string {
  return `${safeStem(given)}.${extensions[contentType] ?? 'bin'}`
}

function isVideoName(name: string): boolean {
  return /\.(mp4|m4v|mov|webm|mkv|avi|3gp)$/i.test(name)
}

export function safeStem(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? ''
  const stem = last.replace(/\.[A-Za-z0-9]{1,5}$/, '').replace(/[^\p{L}\p{N}\p{M} ._()-]/gu, '')
  const short = Array.from(stem.replace(/\s+/g, ' ').replace(/^[ .]+|[ .]+$/g, ''))
    .slice(0, maxStem)
    .join('')
  return short || 'foto'
}

/**
 * Checks files in a separate thread, so that their content never blocks the web server. Owners take
 * turns: many files of one owner delay another owner's file by one.
 */
interface FileChecker {
  /** Rejects with the AppError for the response. */
  check(task: FileCheckTask, owner: string): Promise<CheckedFile>
}

export function createFileChecker(): FileChecker {
  const queue = createFairQueue({ concurrency: 1 })
  const thread = createTaskThread<FileCheckTask, ThreadReply>({
    entry: new URL('./file-check/thread.ts', import.meta.url),
    heapLimit: 128,
    timeLimit: 10_000,
    // A file that takes longer is meant to keep the thread busy.
    tooLong: () => appError('upload.unreadable'),
  })
  return {
    async check(task, owner) {
      const reply = await queue.run(owner, () => thread.run(task))
      if (reply.kind === 'done') return reply.result
      const code = reply.kind === 'refused' ? reply.code : 'server.error'
      throw appError(code, { cause: new Error(reply.reason) })
    },
  }
}

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

/**
 * Marks uploads as used, because the number of unused ones is limited. `by` is the id of the
 * generation or custom edit that has copied them.
 */
export async function markUploadsUsed(
  executor: Executor,
  { refs, by, now }: { refs: readonly InputRef[]; by: string; now: Date },
): Promise<void> {
  const ids = refs.flatMap((ref) => ('upload' in ref ? [ref.upload] : []))
  if (ids.length === 0) return
  await executor
    .update(uploads)
    .set({ usedAt: now, usedBy: by })
    .where(and(inArray(uploads.id, ids), isNull(uploads.usedAt)))
}
