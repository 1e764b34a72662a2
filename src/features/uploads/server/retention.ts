import { inArray, lte } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import { dropUploads } from './finish-upload.ts'
import { storageKeys, uploadOfKey } from './stored-upload.ts'
import { fileReferences, uploads } from './table.ts'

type RetentionDeps = Pick<Deps, 'db' | 'store' | 'clock' | 'log' | 'jobs'>

const batchSize = 200
/** Files are stored before the row that refers to them; nothing takes this long in between. */
const orphanMilliseconds = 86_400_000

/**
 * Deletes uploads past their time, and files of any feature that nothing refers to, for as long as
 * the process lives.
 */
export async function workUploads(deps: RetentionDeps): Promise<void> {
  await deps.jobs.every('delete-expired-uploads', 600, async (signal) => {
    await deleteExpiredUploads(deps, signal)
  })
  await deps.jobs.every('sweep-orphaned-files', 6 * 3600, async (signal) => {
    await sweepOrphans(deps, signal)
  })
}

export async function deleteExpiredUploads({ db, store, clock }: RetentionDeps, signal?: AbortSignal): Promise<number> {
  let deleted = 0
  for (;;) {
    signal?.throwIfAborted()
    const due = await db
      .select({ id: uploads.id })
      .from(uploads)
      .where(lte(uploads.expiresAt, clock()))
      .limit(batchSize)
    await dropUploads(
      { db, store },
      due.map(({ id }) => id),
    )
    deleted += due.length
    if (due.length < batchSize) return deleted
  }
}

/**
 * Deletes stored files that nobody knows: what a crash left between storing and committing, or
 * between committing and deleting.
 */
export async function sweepOrphans({ db, store, clock, log }: RetentionDeps, signal?: AbortSignal): Promise<number> {
  let deleted = 0
  for await (const keys of batchesOf(store.listOlderThan(new Date(clock().getTime() - orphanMilliseconds)))) {
    signal?.throwIfAborted()
    const { storageKey } = fileReferences
    const kept = await db.select({ storageKey }).from(fileReferences).where(inArray(storageKey, keys))
    const ids = keys.map(uploadOfKey).filter((id) => id !== undefined)
    const open = await db.select({ id: uploads.id }).from(uploads).where(inArray(uploads.id, ids))
    const known = new Set([...kept.map((file) => file.storageKey), ...storageKeys(open.map(({ id }) => id))])
    const orphans = keys.filter((key) => !known.has(key))
    await store.delete(orphans)
    deleted += orphans.length
  }
  if (deleted > 0) log.info({ count: deleted }, 'orphaned files deleted')
  return deleted
}

async function* batchesOf(keys: AsyncIterable<string>): AsyncIterable<string[]> {
  let batch: string[] = []
  for await (const key of keys) {
    batch.push(key)
    if (batch.length < batchSize) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
