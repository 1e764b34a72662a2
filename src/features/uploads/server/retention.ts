import { inArray, lte } from 'drizzle-orm'
import { validate as isUuid } from 'uuid'
import type { Deps } from '#server/deps.ts'
import { dropUploads } from './finish-upload.ts'
import { uploads } from './table.ts'

type RetentionDeps = Pick<Deps, 'db' | 'store' | 'clock' | 'log' | 'jobs'>

const batchSize = 200
const orphanMilliseconds = 86_400_000

/**
 * Deletes uploads past their time, and files that no row knows any more, for as long as the process
 * lives.
 */
export async function workUploads(deps: RetentionDeps): Promise<void> {
  await deps.jobs.every('delete-expired-uploads', 600, async (signal) => {
    await deleteExpiredUploads(deps, signal)
  })
  await deps.jobs.every('sweep-orphaned-uploads', 6 * 3600, async (signal) => {
    await sweepOrphanedUploads(deps, signal)
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
 * A crash between storing and committing, or between committing and deleting, leaves such files.
 */
async function sweepOrphanedUploads({ db, store, clock, log }: RetentionDeps, signal?: AbortSignal): Promise<number> {
  let deleted = 0
  let keys: string[] = []
  const flush = async () => {
    const ids = [...new Set(keys.map(idOf))].filter((id) => isUuid(id))
    const known = ids.length ? await db.select({ id: uploads.id }).from(uploads).where(inArray(uploads.id, ids)) : []
    const owned = new Set(known.map(({ id }) => id))
    const orphans = keys.filter((key) => !owned.has(idOf(key)))
    await store.delete(orphans)
    deleted += orphans.length
    keys = []
  }
  for await (const key of store.listOlderThan(new Date(clock().getTime() - orphanMilliseconds))) {
    signal?.throwIfAborted()
    if (!key.startsWith('uploads/')) continue
    keys.push(key)
    if (keys.length === batchSize) await flush()
  }
  await flush()
  if (deleted > 0) log.info({ count: deleted }, 'orphaned uploads deleted')
  return deleted
}

const idOf = (key: string) => key.split('/')[1] ?? ''
