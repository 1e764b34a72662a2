import { and, eq, inArray, isNotNull, isNull, or } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { Transaction } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import { orderStatus, type PaymentProblem } from '../../rules.ts'
import type { BillingDeps } from '../deps.ts'
import { findDriver } from '../drivers/find-driver.ts'
import type { SessionState } from '../drivers/payment-driver.ts'
import {
  type Attempt,
  type Change,
  cancelHeldOrder,
  endAttempt,
  findAttempts,
  type HeldOrder,
  holdOrder,
  isBuyerDeleted,
  markAwaitingConfirmation,
  mayBePaid,
  newestAttempt,
} from '../orders/order-record.ts'
import { settleOrder } from '../orders/settle-order.ts'
import { recountRevenue } from '../reports/revenue-by-day.ts'
import { orders } from '../tables/orders.ts'
import { paymentAttempts, payments } from '../tables/payments.ts'
import { resolveUnknown } from './unknown-payments.ts'

interface Hint {
  /** A webhook reports that the payment is on its way. */
  pending?: boolean
}

/**
 * Reads the session at the gateway and applies its state. Webhooks, polling, returning buyers, the
 * simulator and the reconciliation all use this function, so their order and number make no
 * difference. Returns null if the gateway does not know the session.
 */
export async function followAttempt(
  deps: BillingDeps,
  attempt: Attempt,
  { pending = false }: Hint = {},
): Promise<SessionState | null> {
  const driver = findDriver(deps, attempt.driver)
  if (!driver?.automatic || attempt.sessionId === null) return null
  const read = await driver.read(attempt.sessionId)
  if (!read) return null
  const state: SessionState = read.status === 'active' && pending ? { ...read, status: 'pending' } : read
  if (state.status === 'active' && state.requestId === attempt.requestId) return state
  await transact(deps.db, (tx) => applyState(tx, deps, attempt.id, attempt.orderId, state))
  return state
}

/** True if the order is paid now. A session that cannot be read stays unchanged. */
export async function followOpenSessions(deps: BillingDeps, orderId: string): Promise<boolean> {
  const { db, log } = deps
  const open = await findAttempts(
    db,
    and(eq(paymentAttempts.orderId, orderId), mayBePaid, isNotNull(paymentAttempts.sessionId)),
  )
  for (const attempt of open) {
    await followAttempt(deps, attempt).catch((error: unknown) => {
      log.warn({ err: error, orderId }, 'could not read a payment session')
    })
  }
  const [order] = await db.select({ status: orders.status }).from(orders).where(eq(orders.id, orderId))
  return order?.status === orderStatus.paid
}

async function applyState(
  tx: Transaction,
  deps: BillingDeps,
  attemptId: string,
  orderId: string,
  state: SessionState,
): Promise<void> {
  const order = await holdOrder(tx, orderId)
  const [attempt] = await tx.select().from(paymentAttempts).where(eq(paymentAttempts.id, attemptId))
  if (!attempt) throw new Error('the payment attempt no longer exists')
  const change = { by: 'gateway', now: deps.clock() } as const
  if (state.requestId !== null && state.requestId !== attempt.requestId) {
    await tx.update(paymentAttempts).set({ requestId: state.requestId }).where(eq(paymentAttempts.id, attempt.id))
    await resolveUnknown({ db: tx, clock: deps.clock }, [state.requestId])
  }
  if (state.status === 'completed') await applyPayments(tx, deps, order, attempt, state, change)
  if (state.status === 'pending') {
    const reason = 'payment_pending'
    if (await decides(tx, order, attempt)) await markAwaitingConfirmation(tx, order, { ...change, reason })
  }
  if (state.status === 'failed') {
    // An order that awaited confirmation cannot become unpaid again, so it ends.
    const over = order.status === orderStatus.awaiting && (await decides(tx, order, attempt))
    await endAttempt(tx, attempt, 'failed')
    if (over) await cancelHeldOrder(tx, order, { ...change, reason: 'session_cancelled' })
  }
  if (state.status === 'expired' || state.status === 'cancelled') {
    const reason = state.status === 'expired' ? 'expired' : 'session_cancelled'
    const over = (await decides(tx, order, attempt)) && endsOrder(order, attempt)
    await endAttempt(tx, attempt, state.status)
    if (over) await cancelHeldOrder(tx, order, { ...change, reason })
  }
}

/** Only the newest attempt decides: a buyer who changed the method has another one open. */
async function decides(tx: Transaction, order: HeldOrder, attempt: Attempt): Promise<boolean> {
  const newest = await newestAttempt(tx, order.id)
  return newest?.id === attempt.id && attempt.status !== 'failed' && !attempt.closing
}

/** Otherwise another session fits into the order's time. */
function endsOrder({ expiresAt }: HeldOrder, attempt: Attempt): boolean {
  return expiresAt === null || attempt.expiresAt >= expiresAt
}

/** The column's largest number; a mismatched amount need not be exact. */
const largestAmount = 2_147_483_647

/**
 * Records each payment once; the first matching payment pays for the order, whatever its status.
 */
async function applyPayments(
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
