import { eq } from 'drizzle-orm'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { publish } from '#server/notify.ts'
import { endGeneration, nextChange } from '../execution/end-generation.ts'
import { deleteFiles } from '../files/stored-files.ts'
import { generationFiles, generations, renderings } from '../table.ts'
import { findGeneration } from './find-generation.ts'

/** An open generation is cancelled and refunded first. Its ledger entries stay. */
export async function deleteGeneration(
  { db, store, clock }: Pick<Deps, 'db' | 'store' | 'clock'>,
  { userId, id }: { userId: string; id: string },
): Promise<void> {
  const keys = await transact(db, async (tx) => {
    await findGeneration(tx, userId, id)
    const now = clock()
    await endGeneration(tx, { id, status: 'cancelled', errorCode: null, now })
    await tx.update(generations).set({ deletedAt: now, change: nextChange }).where(eq(generations.id, id))
    await publish(tx, { kind: 'cancel', generationId: id })
    await tx.delete(renderings).where(eq(renderings.generationId, id))
    return await deleteFiles(tx, eq(generationFiles.generationId, id), now)
  })
  await store.delete(keys)
}
