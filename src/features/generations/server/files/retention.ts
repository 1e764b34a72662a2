import { and, inArray, lte, notInArray, or, sql } from 'drizzle-orm'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { inputDays, openStatuses } from '../../rules.ts'
import { generationFiles, generations, renderings } from '../table.ts'
import { deleteFiles } from './stored-files.ts'

type RetentionDeps = Pick<Deps, 'db' | 'store' | 'clock'>

const batch = 200
const dayMilliseconds = 86_400_000

/**
 * Deletes uploads after a week and results at the end of their retention. Layers are useless
 * without the uploads, so they are deleted with them.
 */
export async function deleteExpiredFiles({ db, store, clock }: RetentionDeps, signal?: AbortSignal): Promise<number> {
  const now = clock()
  const uploads = new Date(now.getTime() - inputDays * dayMilliseconds)
  const old = db.select({ id: generations.id }).from(generations).where(lte(generations.createdAt, uploads))
  await db.delete(renderings).where(inArray(renderings.generationId, old))
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
              and(
                lte(generations.createdAt, uploads),
                inArray(generationFiles.role, ['input', 'earlier', 'kept', 'task']),
              ),
            ),
          ),
        )
        .limit(batch)
      return await deleteFiles(tx, inArray(generationFiles.id, due), now)
    })
    await store.delete(keys)
    deleted += keys.length
    if (keys.length < batch) return deleted
  }
}
