import { and, eq, gt, inArray, isNull, lte, sql } from 'drizzle-orm'
import { validate as isUuid } from 'uuid'
import { holdAccount } from '#server/auth/accounts.ts'
import { type Executor, rows, type Transaction } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { createFairQueue } from '#server/fair-queue.ts'
import { appError } from '#server/http/app-error.ts'
import { addTime } from '#shared/time.ts'
import { storageLimits, type UploadView, uploadLimits } from '../rules.ts'
import { storedFiles, type Upload, uploads } from './table.ts'

/** Throws for an upload of another user or an expired one as if it were missing. */
export async function findUpload(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  userId: string,
  id: string,
): Promise<Upload> {
  const [upload] = isUuid(id)
    ? await db
        .select()
        .from(uploads)
        .where(and(eq(uploads.id, id), eq(uploads.userId, userId), gt(uploads.expiresAt, clock())))
    : []
  if (!upload) throw appError('upload.not_found')
  return upload
}

export function uploadView(upload: Upload): UploadView {
  const { id, status, name, contentType, bytes, received, width, height, seconds, expiresAt } = upload
  return {
    id,
    status,
    name,
    contentType,
    bytes,
    received,
    width,
    height,
    seconds,
    expiresAt: expiresAt.toISOString(),
  }
}

/** The folder is announced with the upload's row, and deleted with it. */
export const folderOf = (id: string) => `uploads/${id}/`

export const partKey = (id: string, name: string) => `uploads/${id}/${name}`

/** The checked file, without metadata about its owner. */
export const contentKey = (id: string) => `uploads/${id}/content`

interface OwnedFile {
  storageKey: string
  bytes: number
}

/** The transaction that keeps announced files takes far less time than this. */
const unkeptHours = 24
/** A concurrent request may still put a file into a folder that is to be deleted. */
const lateHours = 1
const batchSize = 200

/**
 * Records files before they are stored. Files not kept until `deleteAt`, by default a day from now,
 * are deleted.
 */
export async function announceFiles(
  executor: Executor,
  { files, now, deleteAt }: { files: readonly OwnedFile[]; now: Date; deleteAt?: Date },
): Promise<void> {
  if (files.length === 0) return
  const until = deleteAt ?? addTime(now, { hours: unkeptHours })
  await executor
    .insert(storedFiles)
    .values(files.map(({ storageKey, bytes }) => ({ storageKey, bytes, createdAt: now, deleteAt: until })))
}

/** Records the owner, if any, before the rows that refer to the files are inserted. */
export async function keepFiles(
  tx: Transaction,
  { userId, files, now }: { userId: string | null; files: readonly Pick<OwnedFile, 'storageKey'>[]; now: Date },
): Promise<void> {
  if (files.length === 0) return
  const kept = await tx
    .update(storedFiles)
    .set({ userId, deleteAt: null })
    .where(and(inArray(storedFiles.storageKey, keysOf(files)), gt(storedFiles.deleteAt, now)))
    .returning({ storageKey: storedFiles.storageKey })
  if (kept.length !== files.length) throw new Error('a file was not announced, or its announcement has expired')
}

/**
 * Returns storage keys of files whose rows the transaction has deleted, for deletion after the
 * commit; `sweepFiles` deletes those that remain at `deleteAt`, by default in an hour.
 */
export async function dropFiles(
  tx: Executor,
  files: readonly Pick<OwnedFile, 'storageKey'>[],
  now: Date,
  deleteAt = addTime(now, { hours: lateHours }),
): Promise<string[]> {
  const keys = keysOf(files)
  if (keys.length > 0) {
    await tx.update(storedFiles).set({ userId: null, deleteAt }).where(inArray(storedFiles.storageKey, keys))
  }
  return keys
}

/**
 * Deletes the uploads of a generation or custom edit that the user deletes; returns storage keys
 * like `dropFiles`.
 */
export async function dropUploadsOf(tx: Transaction, usedBy: string, now: Date): Promise<string[]> {
  const gone = await tx.delete(uploads).where(eq(uploads.usedBy, usedBy)).returning({ id: uploads.id })
  return await dropFiles(
    tx,
    gone.map(({ id }) => ({ storageKey: folderOf(id) })),
    now,
  )
}

export async function sweepFiles(
  { db, store, clock }: Pick<Deps, 'db' | 'store' | 'clock'>,
  signal?: AbortSignal,
): Promise<number> {
  let deleted = 0
  for (;;) {
    signal?.throwIfAborted()
    const isDue = lte(storedFiles.deleteAt, clock())
    const { storageKey } = storedFiles
    const due = keysOf(await db.select({ storageKey }).from(storedFiles).where(isDue).limit(batchSize))
    if (due.length > 0) {
      await store.delete(due)
      await db.delete(storedFiles).where(and(inArray(storageKey, due), isDue))
    }
    deleted += due.length
    if (due.length < batchSize) return deleted
  }
}

const keysOf = (files: readonly Pick<OwnedFile, 'storageKey'>[]) => files.map(({ storageKey }) => storageKey)

/**
 * A request that waits for an account's lock holds a database connection; the queue leaves some to
 * others.
 */
const accountQueue = createFairQueue({ concurrency: 2, waiting: 400, waitingEach: 60 })

/**
 * A user's uploads start one after the other, so that concurrent ones are counted. Throws
 * `upload.limit` if too many are unused, and `upload.no_space`.
 */
export async function beginUpload(
  deps: Pick<Deps, 'db' | 'clock' | 'spentCredits'>,
  upload: typeof uploads.$inferInsert,
): Promise<void> {
  const { userId, bytes } = upload
  const now = deps.clock()
  const begin = async (tx: Transaction) => {
    await holdAccount(tx, userId)
    const unused = and(eq(uploads.userId, userId), isNull(uploads.usedAt), gt(uploads.expiresAt, now))
    if ((await tx.$count(uploads, unused)) >= uploadLimits.unused) {
      throw appError('upload.limit', { retryAfter: 600 })
    }
    await requireSpace(deps, tx, { userId, bytes, now })
    await insertUploads(tx, [upload])
  }
  await accountQueue.run(userId, () => transact(deps.db, begin))
}

export async function insertUploads(tx: Transaction, given: (typeof uploads.$inferInsert)[]): Promise<void> {
  if (given.length === 0) return
  await tx.insert(uploads).values(given)
  for (const { id, createdAt: now, expiresAt: deleteAt } of given) {
    await announceFiles(tx, { files: [{ storageKey: folderOf(id), bytes: 0 }], now, deleteAt })
  }
}

/**
 * Throws `upload.no_space` if uploads, used or not, and files kept by features would exceed the
 * storage; spent credits add space. The transaction must hold the lock of the account.
 */
export async function requireSpace(
  { spentCredits }: Pick<Deps, 'spentCredits'>,
  tx: Transaction,
  { userId, bytes, now }: { userId: string; bytes: number; now: Date },
): Promise<void> {
  const [found] = await rows<{ stored: number }>(
    tx,
    sql`select
      (select coalesce(sum(bytes), 0) from ${uploads} where user_id = ${userId}::uuid)::float8
      + (select coalesce(sum(bytes), 0) from ${storedFiles} where user_id = ${userId}::uuid)::float8 as stored`,
  )
  const spent = await spentCredits(tx, userId, addTime(now, { days: -storageLimits.creditDays }))
  const space = storageLimits.bytes + storageLimits.bytesPerCredit * spent
  if (Number(found?.stored ?? 0) + bytes > space) throw appError('upload.no_space')
}
