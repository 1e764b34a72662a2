import { and, eq, inArray, ne } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { Transaction } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import { orderStatus } from '../contract.ts'
import type { BillingDeps } from './deps.ts'
import { resolveKnown } from './differences.ts'
import { findDriver } from './drivers/drivers.ts'
import type { SessionState } from './drivers/port.ts'
import {
  type Attempt,
  awaitConfirmation,
  type Change,
  cancelHeldOrder,
  type HeldOrder,
  holdOrder,
  newestAttempt,
} from './order-record.ts'
import { settleOrder } from './settle-order.ts'
import { paymentAttempts, payments } from './table.ts'

/** The column's largest number; an amount that is wrong anyway need not be exact. */
const largestAmount = 2_147_483_647

/**
 * Reads an attempt's session at the gateway and draws the consequences. Webhooks, polls, the simulator and the reconciliation all end here, so their
 * order and number make no difference. Answers with what the gateway said; null when it knows nothing.
 */
export async function followAttempt(deps: BillingDeps, attempt: Attempt): Promise<SessionState | null> {
  const driver = findDriver(deps, attempt.driver)
  if (!driver?.tells || attempt.sessionId === null) return null
  const state = await driver.read(attempt.sessionId)
  if (!state) return null
  const mailId = await transact(deps.db, (tx) => applyState(tx, deps, attempt, state))
  if (mailId) await deps.jobs.send('send-mail', { mailId })
  return state
}

async function applyState(
  tx: Transaction,
  { clock, log }: BillingDeps,
  attempt: Attempt,
  state: SessionState,
): Promise<string | null> {
  const order = await holdOrder(tx, attempt.orderId)
  const change = { by: 'gateway', now: clock() } as const
  if (state.requestId !== null && state.requestId !== attempt.requestId) {
    await tx.update(paymentAttempts).set({ requestId: state.requestId }).where(eq(paymentAttempts.id, attempt.id))
    await resolveKnown({ db: tx, clock })
  }
  if (state.status === 'completed') return await takePayments(tx, { log }, order, attempt, state, change)

  const newest = await newestAttempt(tx, order.id)
  const isNewest = newest?.id === attempt.id
  if (state.status === 'pending' && isNewest) {
    await awaitConfirmation(tx, order, { ...change, reason: 'payment_pending' })
  }
  if (state.status === 'expired' || state.status === 'cancelled') {
    await closeAttempt(tx, attempt, state.status)
    // Only the order's last attempt decides; a buyer who changed the method has another one open.
    if (isNewest && attempt.status !== 'failed') {
      await cancelHeldOrder(tx, order, {
        ...change,
        reason: state.status === 'expired' ? 'expired' : 'session_cancelled',
      })
    }
  }
  return null
}

/** Writes down all money that came, each time once; the first that is right pays for the order, whatever its status. */
async function takePayments(
  tx: Transaction,
  { log }: Pick<BillingDeps, 'log'>,
  order: HeldOrder,
  attempt: Attempt,
  state: SessionState,
  change: Omit<Change, 'reason'>,
): Promise<string | null> {
  let paid = order.status === orderStatus.paid
  let mailId: string | null = null
  for (const payment of state.payments) {
    const wrong =
      payment.currency !== 'IDR' || state.currency !== 'IDR'
        ? 'wrong_currency'
        : payment.amount !== attempt.amountIdr || state.amount !== attempt.amountIdr
          ? 'wrong_amount'
          : null
    const problem = wrong ?? (paid ? 'paid_again' : null)
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
    if (problem) {
      if (!wrong) await closeAttempt(tx, attempt, 'paid')
      log.warn({ orderId: order.id, problem }, 'a payment came that pays for nothing')
      continue
    }
    const reason = order.status === orderStatus.cancelled ? 'paid_late' : 'paid'
    mailId = await settleOrder(tx, order, { ...change, reason })
    await closeAttempt(tx, attempt, 'paid')
    paid = true
  }
  if (!paid) await failAttempt(tx, attempt)
  return mailId
}

/** What has been paid stays paid: a reading from before may be applied after. */
async function closeAttempt(tx: Transaction, { id }: Attempt, status: 'paid' | 'expired' | 'cancelled') {
  await tx
    .update(paymentAttempts)
    .set({ status, readAt: null })
    .where(and(eq(paymentAttempts.id, id), status === 'paid' ? undefined : ne(paymentAttempts.status, 'paid')))
}

/** The gateway is done with it, but what came is wrong: an admin can help, or the buyer pays by another session. */
async function failAttempt(tx: Transaction, { id }: Attempt) {
  await tx
    .update(paymentAttempts)
    .set({ status: 'failed', readAt: null })
    .where(and(eq(paymentAttempts.id, id), inArray(paymentAttempts.status, ['creating', 'open'])))
}
