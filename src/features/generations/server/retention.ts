import { and, inArray, lte, notInArray, or, sql } from 'drizzle-orm'
import { validate as isUuid } from 'uuid'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { inputDays, openStatuses } from '../rules.ts'
import { generationFiles, generations } from './table.ts'

type RetentionDeps = Pick<Deps, 'db' | 'store' | 'clock' | 'log'>

const batch = 200
const dayMilliseconds = 86_400_000
/** Uploads are stored before the row that knows them; nothing takes this long in between. */
const orphanMilliseconds = dayMilliseconds

/**
 * Deletes uploads (and what is kept to draw a result again, which needs them) after a week, and
 * results when their time is over.
 */
export async function deleteExpiredFiles({ db, store, clock }: RetentionDeps, signal?: AbortSignal): Promise<number> {
  const now = clock()
  const uploads = new Date(now.getTime() - inputDays * dayMilliseconds)
  let deleted = 0
  for (;;) {
    signal?.throwIfAborted()
    const keys = await transact(db, async (tx) => {
      const due = tx
        .select({ id: generationFiles.id })
        .from(generationFiles)
        .innerJoin(generations, sql`${generations.id} = ${generationFiles.generationId}`)
        .where(
          and(
            notInArray(generations.status, [...openStatuses]),
            or(
              lte(generations.expiresAt, now),
              and(lte(generations.createdAt, uploads), inArray(generationFiles.role, ['input', 'kept'])),
            ),
          ),
        )
        .limit(batch)
      return tx
        .delete(generationFiles)
        .where(inArray(generationFiles.id, due))
        .returning({ key: generationFiles.storageKey })
    })
    await store.delete(keys.map(({ key }) => key))
    deleted += keys.length
    if (keys.length < batch) return deleted
  }
}

/**
 * Deletes stored files that no row knows: what a crash left between storing and committing, or
 * between committing and deleting.
 */
export async function sweepOrphans({ db, store, clock, log }: RetentionDeps, signal?: AbortSignal): Promise<number> {
  let deleted = 0
  let keys: string[] = []
  const flush = async () => {
    const ids = keys.map((key) => key.split('/').at(-1) ?? '').filter((id) => isUuid(id))
    const known = ids.length
      ? await db
          .select({ key: generationFiles.storageKey })
          .from(generationFiles)
          .where(inArray(generationFiles.id, ids))
      : []
    const owned = new Set(known.map(({ key }) => key))
    const orphans = keys.filter((key) => !owned.has(key))
    await store.delete(orphans)
    deleted += orphans.length
    keys = []
  }
  for await (const key of store.listOlderThan(new Date(clock().getTime() - orphanMilliseconds))) {
    signal?.throwIfAborted()
    // Other features keep files too, and know them by other rows.
    if (!/^(generations|drafts)\//.test(key)) continue
    keys.push(key)
    if (keys.length === batch) await flush()
  }
  await flush()
  if (deleted > 0) log.info({ count: deleted }, 'orphaned files deleted')
  return deleted
}
