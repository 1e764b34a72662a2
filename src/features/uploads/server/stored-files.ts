import { and, gt, inArray, lte } from 'drizzle-orm'
import type { Executor, Transaction } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'
import { storedFiles } from './table.ts'

interface OwnedFile {
  storageKey: string
  bytes: number
}

/** The transaction that keeps announced files takes far less time than this. */
const unkeptMilliseconds = 86_400_000
/** A concurrent request may still put a file into a folder that is to be deleted. */
const lateMilliseconds = 3_600_000
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
  const until = deleteAt ?? new Date(now.getTime() + unkeptMilliseconds)
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
  deleteAt = new Date(now.getTime() + lateMilliseconds),
): Promise<string[]> {
  const keys = keysOf(files)
  if (keys.length > 0) {
    await tx.update(storedFiles).set({ userId: null, deleteAt }).where(inArray(storedFiles.storageKey, keys))
  }
  return keys
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
