import { eq } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { Transaction } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import { appError } from '#server/http/app-error.ts'
import { type MethodId, paymentMethods } from '../../methods.ts'
import { orderStatus } from '../../rules.ts'
import type { BillingDeps } from '../deps.ts'
import { createOrder, wayToPay } from '../orders/create-order.ts'
import { cancelHeldOrder, type HeldOrder, holdOrder, markForClosing, newestAttempt } from '../orders/order-record.ts'
import { orders } from '../tables/orders.ts'
import { paymentAttempts } from '../tables/payments.ts'
import { closeMarked } from './close-session.ts'
import { followOpenSessions } from './follow-attempt.ts'
import { startPayment } from './start-payment.ts'

/**
 * Another go at paying. The gateway is read first, for the buyer may have paid already. An order
 * that is still unpaid keeps its open session, or gets another one once that is closed; a cancelled
 * one is placed anew at today's prices. Returns the order to pay, or the one that turned out to be
 * paid.
 */
export async function payAgain(
  deps: BillingDeps,
  userId: string,
  key: string,
  { id, method, mobileNumber }: { id: string; method: MethodId | null; mobileNumber: string | null },
): Promise<{ id: string; created: boolean }> {
  // Whether it is theirs, before the gateway is asked about it.
  await transact(deps.db, (tx) => holdOrder(tx, id, userId))
  const paid = await followOpenSessions(deps, id)
  if (paid) return { id, created: false }
  const order = await transact(deps.db, async (tx) => {
    const held = await holdOrder(tx, id, userId)
    if (held.status === orderStatus.unpaid) await renew(tx, deps, held, { method, mobileNumber })
    return await holdOrder(tx, id, userId)
  })
  if (order.status === orderStatus.cancelled) {
    if (!(await closeMarked(deps, id))) throw appError('payment.failed')
    return await createOrder(deps, userId, key, {
      packageId: order.packageId,
      voucherCode: order.voucherCode,
      method: method ?? order.method,
      mobileNumber: mobileNumber ?? order.mobileNumber,
      acceptedAt: order.acceptedAt,
    })
  }
  if (order.status !== orderStatus.unpaid) throw appError('order.not_payable')
  await startPayment(deps, id)
  return { id, created: false }
}

/**
 * Writes the next attempt down, unless the last one will do. What was agreed ends when it would
 * have ended; after that the order is over.
 */
async function renew(
  tx: Transaction,
  deps: BillingDeps,
  order: HeldOrder,
  { method, mobileNumber }: { method: MethodId | null; mobileNumber: string | null },
): Promise<void> {
  const now = deps.clock()
  if (order.expiresAt !== null && order.expiresAt <= now) {
    await cancelHeldOrder(tx, order, { by: 'system', reason: 'expired', now })
    return
  }
  const last = await newestAttempt(tx, order.id)
  const way = wayToPay(deps, method ?? order.method, order.totalIdr)
  const usable = last && (last.status === 'open' || last.status === 'creating') && !last.closing && last.expiresAt > now
  if (usable && last.method === way.method && last.driver === way.driver) return
  await markForClosing(tx, order.id, now)
  const ends = [now.getTime() + paymentMethods[way.method].expiresInSeconds * 1000, order.expiresAt?.getTime()]
  await tx.insert(paymentAttempts).values({
    id: uuid(),
    orderId: order.id,
    driver: way.driver,
    method: way.method,
    amountIdr: order.totalIdr,
    status: 'creating',
    createdAt: now,
    expiresAt: new Date(Math.min(...ends.filter((end) => end !== undefined))),
  })
  await tx
    .update(orders)
    .set({ method: way.method, driver: way.driver, ...(mobileNumber !== null && { mobileNumber }) })
    .where(eq(orders.id, order.id))
}
