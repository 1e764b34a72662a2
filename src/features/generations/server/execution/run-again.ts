import { and, eq, sql } from 'drizzle-orm'
import { audit } from '#server/audit/audit.ts'
import { requireAuthorityOver } from '#server/auth/authority.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { sendOptions } from '../queues.ts'
import { generationFiles, generations, refundRequests } from '../table.ts'
import { deleteFailedJobs } from '../tasks/provider-jobs.ts'
import { nextChange, rowsWithNotification } from './end-generation.ts'

/**
 * Repeats a failed generation free of charge, since its credits were refunded. Refuses if its
 * inputs are deleted or it was repeated before.
 */
export async function runAgain(
  { db, clock, jobs }: Pick<Deps, 'db' | 'clock' | 'jobs'>,
  { id, adminId }: { id: string; adminId: string },
): Promise<void> {
  const now = clock()
  const row = await transact(db, async (tx) => {
    const [found] = await tx.select().from(generations).where(eq(generations.id, id)).for('update')
    if (!found || found.deletedAt) throw appError('generation.not_found')
    await requireAuthorityOver(tx, adminId, found.userId)
    const inputs = tx
      .select({ one: sql`1` })
      .from(generationFiles)
      .where(and(eq(generationFiles.generationId, id), eq(generationFiles.role, 'input')))
    if (found.status !== 'failed') throw appError('generation.ran_again')
    if ((await inputs).length === 0) throw appError('generation.inputs_gone')
    const { userId, credits } = found
    // Explains the unpaid success to the reconciliation, and prevents another refund.
    const free = { generationId: id, userId, reason: 'run again', status: 'refunded' as const, refunded: credits }
    const [first] = await tx
      .insert(refundRequests)
      .values({ ...free, createdAt: now, decidedAt: now, decidedBy: adminId })
      .onConflictDoNothing()
      .returning({ id: refundRequests.generationId })
    if (!first) throw appError('generation.ran_again')
    await deleteFailedJobs(tx, { id })
    const [queued] = await tx
      .update(generations)
      .set({ status: 'queued', progress: 0, attempts: 0, errorCode: null, finishedAt: null, change: nextChange })
      .where(eq(generations.id, id))
      .returning(rowsWithNotification)
    if (!queued) throw appError('generation.not_found')
    const change = { before: { status: 'failed', error: found.errorCode }, after: { status: 'queued' } }
    await audit(tx, {
      actor: adminId,
      action: 'generation.run_again',
      subject: { kind: 'generation', id },
      ...change,
      now,
    })
    return queued
  })
  await jobs.send(row.queue, { generationId: id }, sendOptions(row))
}
