import { and, eq, isNotNull, isNull, type SQL } from 'drizzle-orm'
import { audit } from '#server/audit/audit.ts'
import { requireAuthorityOver } from '#server/auth/authority.ts'
import type { Executor } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import { appError } from '#server/http/app-error.ts'
import type { settlePaymentInput } from '../../admin/schemas.ts'
import type { BillingDeps } from '../deps.ts'
import { orders } from '../tables/orders.ts'
import { payments } from '../tables/payments.ts'

interface Settlement {
  adminId: string
  /** The admin's solution, such as a repayment. */
  reason: string
  now: Date
}

/** The payment is then no longer a difference. */
export async function settlePayment(
  { db, clock }: Pick<BillingDeps, 'db' | 'clock'>,
  { id, adminId }: { id: string; adminId: string },
  { reason }: typeof settlePaymentInput.infer,
): Promise<void> {
  const now = clock()
  await transact(db, async (tx) => {
    const [payment] = await tx
      .select({ userId: orders.userId })
      .from(payments)
      .innerJoin(orders, eq(orders.id, payments.orderId))
      .where(eq(payments.id, id))
    if (!payment) throw appError('payment.not_found')
    await requireAuthorityOver(tx, adminId, payment.userId)
    const settled = await settleProblems(tx, eq(payments.id, id), { adminId, reason, now })
    if (settled === 0) throw appError('payment.not_found')
    const subject = { kind: 'payment', id }
    await audit(tx, { actor: adminId, action: 'payment.settled', subject, reason, now })
  })
}

/** Returns the number of settled payments. */
export async function settleProblems(
  executor: Executor,
  which: SQL,
  { adminId, reason, now }: Settlement,
): Promise<number> {
  const settled = await executor
    .update(payments)
    .set({ settledAt: now, settledBy: adminId, settlement: reason })
    .where(and(which, isNotNull(payments.problem), isNull(payments.settledAt)))
    .returning({ id: payments.id })
  return settled.length
}
