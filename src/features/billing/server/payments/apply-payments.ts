import { and, eq, inArray, isNotNull, isNull, or } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { Transaction } from '#server/db/database.ts'
import { orderStatus, type PaymentProblem } from '../../rules.ts'
import type { BillingDeps } from '../deps.ts'
import type { SessionState } from '../drivers/port.ts'
import { type Attempt, type Change, endAttempt, type HeldOrder, isBuyerDeleted } from '../orders/order-record.ts'
import { settleOrder } from '../orders/settle-order.ts'
import { recountRevenue } from '../reports/revenue-by-day.ts'
import { payments } from '../tables/payments.ts'

/** The column's largest number; a mismatched amount need not be exact. */
const largestAmount = 2_147_483_647

/**
 * Records each payment once; the first matching payment pays for the order, whatever its status.
 */
export async function applyPayments(
  tx: Transaction,
  deps: Pick<BillingDeps, 'log' | 'config'>,
  order: HeldOrder,
  attempt: Attempt,
  state: SessionState,
  change: Omit<Change, 'reason'>,
): Promise<void> {
  let wroteMoney = false
  for (const payment of state.payments) {
    const problem = wrongMoney(payment, attempt, state) ?? (await duplicatePayment(tx, order))
    const written = await tx
      .insert(payments)
      .values({
        id: uuid(),
        orderId: order.id,
        attemptId: attempt.id,
        driver: attempt.driver,
        paymentId: payment.id,
        amount: Math.min(Math.trunc(payment.amount), largestAmount),
        currency: payment.currency.slice(0, 8),
        problem,
        receivedAt: change.now,
      })
      .onConflictDoNothing({ target: [payments.driver, payments.paymentId] })
      .returning({ id: payments.id })
    if (written.length === 0) continue
    wroteMoney = true
    if (problem) {
      deps.log.warn({ orderId: order.id, problem }, 'received a payment that matches no open order')
      await endAttempt(tx, attempt, problem === 'wrong_amount' || problem === 'wrong_currency' ? 'failed' : 'paid')
      continue
    }
    const reason = order.status === orderStatus.cancelled ? 'paid_late' : 'paid'
    await settleOrder(tx, deps, order, { ...change, reason })
    await endAttempt(tx, attempt, 'paid')
  }
  // The session is over: an admin can help, or the buyer pays with another session.
  await endAttempt(tx, attempt, 'failed')
  // The day of an order that was paid before may be closed in the revenue report already.
  if (wroteMoney && order.paidAt) await recountRevenue(tx, order.paidAt)
}

function wrongMoney(
  payment: SessionState['payments'][number],
  { amountIdr }: Attempt,
  state: SessionState,
): PaymentProblem | null {
  if (payment.currency !== 'IDR' || state.currency !== 'IDR') return 'wrong_currency'
  return payment.amount !== amountIdr || state.amount !== amountIdr ? 'wrong_amount' : null
}

/** The right amount, but for an order that was paid before, or for a deleted account. */
async function duplicatePayment(tx: Transaction, order: HeldOrder): Promise<PaymentProblem | null> {
  // An admin confirmed this payment before the gateway reported it.
  const seen = and(eq(payments.orderId, order.id), isNull(payments.attemptId), isNull(payments.problem))
  await tx.delete(payments).where(seen)
  const counted = or(
    isNull(payments.problem),
    // An admin accepted it for the order nevertheless.
    and(inArray(payments.problem, ['wrong_amount', 'wrong_currency']), isNotNull(payments.settledAt)),
  )
  const [earlier] = await tx
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.orderId, order.id), counted))
    .limit(1)
  if (earlier) return 'paid_again'
  return (await isBuyerDeleted(tx, order)) ? 'account_deleted' : null
}
