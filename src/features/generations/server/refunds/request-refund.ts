import { and, count, eq, gt, inArray, isNull, ne } from 'drizzle-orm'
import { credits } from '#features/credits/server/credits.ts'
import { audit } from '#server/audit/audit.ts'
import { requireAuthorityOver } from '#server/auth/accounts.ts'
import { users } from '#server/auth/table.ts'
import type { Transaction } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import type { FileStore } from '#server/storage/store.ts'
import { addTime } from '#shared/time.ts'
import { instantRefundDays, maxInstantRefunds, refundRequestHours } from '../../rules.ts'
import type { RefundRequestAnswer } from '../../schemas.ts'
import { nextChange, rowsWithNotification } from '../execution/end-generation.ts'
import { deleteFiles } from '../files/stored-files.ts'
import { findGeneration } from '../history/own-generations.ts'
import { generationFiles, generations, refundRequests } from '../table.ts'

type RefundDeps = Pick<Deps, 'db' | 'store' | 'clock'>

/**
 * Refunds a result once, within a day of it. After several refunds of the user an admin decides
 * instead.
 */
export async function requestRefund(
  { db, store, clock }: RefundDeps,
  { userId, id, reason }: { userId: string; id: string; reason: string },
): Promise<RefundRequestAnswer> {
  const now = clock()
  const { keys, ...answer } = await transact(db, async (tx) => {
    // Serializes concurrent requests of the user for counting.
    await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')
    const { status, finishedAt } = await findGeneration(tx, userId, id)
    if (status !== 'succeeded' || !finishedAt) throw appError('claim.not_possible')
    if (now > addTime(finishedAt, { hours: refundRequestHours })) throw appError('claim.too_late')
    const [before] = await tx
      .select({ refunds: count() })
      .from(refundRequests)
      .where(
        and(
          eq(refundRequests.userId, userId),
          eq(refundRequests.status, 'refunded'),
          isNull(refundRequests.decidedBy),
          gt(refundRequests.createdAt, addTime(now, { days: -instantRefundDays })),
        ),
      )
    const instant = (before?.refunds ?? 0) < maxInstantRefunds
    const added = await tx
      .insert(refundRequests)
      .values({
        generationId: id,
        userId,
        reason,
        status: instant ? 'refunded' : 'waiting',
        createdAt: now,
        decidedAt: instant ? now : null,
      })
      .onConflictDoNothing()
      .returning({ id: refundRequests.generationId })
    if (added.length === 0) throw appError('claim.already_made')
    await notifyScreens(tx, id)
    const { refunded, keys } = instant ? await refund(tx, { userId, id, now }) : { refunded: 0, keys: [] }
    const { credits: balance } = await credits.balance(tx, userId, now)
    return { status: instant ? ('refunded' as const) : ('waiting' as const), refunded, balance, keys }
  })
  await deleteStored(store, keys)
  return answer
}

/**
 * Accepts declined requests too; the user gets the reason by mail. False if there is no such
 * request.
 */
export async function decideRefundRequest(
  { db, store, clock }: RefundDeps,
  { id, adminId }: { id: string; adminId: string },
  { accept, reason }: { accept: boolean; reason: string },
): Promise<boolean> {
  const now = clock()
  const keys = await transact(db, async (tx) => {
    const decidable = accept ? (['waiting', 'declined'] as const) : (['waiting'] as const)
    const [request] = await tx
      .update(refundRequests)
      .set({ status: accept ? 'refunded' : 'declined', decidedAt: now, decidedBy: adminId, answer: reason })
      .where(and(eq(refundRequests.generationId, id), inArray(refundRequests.status, decidable)))
      .returning({ userId: refundRequests.userId })
    if (!request) return undefined
    await requireAuthorityOver(tx, adminId, request.userId)
    const action = accept ? 'claim.accepted' : 'claim.declined'
    await audit(tx, { actor: adminId, action, subject: { kind: 'generation', id }, reason, now })
    await notifyScreens(tx, id)
    const { userId } = request
    const template = accept ? 'refund_accepted' : 'refund_declined'
    const keys = accept ? (await refund(tx, { userId, id, now })).keys : []
    await enqueueMail(tx, { template, userId, subjectId: id, now })
    return keys
  })
  if (!keys) return false
  await deleteStored(store, keys)
  return true
}

/**
 * Deletes the result and its layers, so that a refunded user cannot render it again. The user's own
 * pictures stay. Returns storage keys of the deleted files.
 */
async function refund(
  tx: Transaction,
  { userId, id, now }: { userId: string; id: string; now: Date },
): Promise<{ refunded: number; keys: string[] }> {
  const refunded = await credits.refund(tx, { userId, generationId: id, now })
  await tx.update(refundRequests).set({ refunded }).where(eq(refundRequests.generationId, id))
  // A free generation keeps its result.
  if (refunded === 0) return { refunded, keys: [] }
  const made = and(eq(generationFiles.generationId, id), ne(generationFiles.role, 'input'))
  return { refunded, keys: await deleteFiles(tx, made, now) }
}

/** A file that cannot be deleted now is swept later, having no row. */
async function deleteStored(store: FileStore, keys: string[]): Promise<void> {
  await store.delete(keys).catch(() => {})
}

async function notifyScreens(tx: Transaction, id: string): Promise<void> {
  await tx
    .update(generations)
    .set({ change: nextChange })
    .where(eq(generations.id, id))
    .returning({ notified: rowsWithNotification.notified })
}
