import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { publish } from '#server/notify.ts'
import { findGeneration } from '../history/find-generation.ts'
import type { Generation } from '../history/views.ts'
import { endGeneration } from './end-generation.ts'

/** Cancels an open generation and refunds its credits; a finished one cannot be cancelled. */
export async function cancelGeneration(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { userId, id }: { userId: string; id: string },
): Promise<Generation> {
  return transact(db, async (tx) => {
    const found = await findGeneration(tx, userId, id)
    if (found.status === 'cancelled') return found
    const ended = await endGeneration(tx, { id, status: 'cancelled', errorCode: null, now: clock() })
    if (!ended) throw appError('generation.not_cancellable')
    await publish(tx, { kind: 'cancel', generationId: id })
    return ended
  })
}
