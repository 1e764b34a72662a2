import { eq } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { Transaction } from '#server/db/database.ts'
import { appError } from '#server/http/app-error.ts'
import { type MethodId, paymentMethods } from '../../methods.ts'
import type { BillingDeps } from '../deps.ts'
import { driverFor } from '../drivers/drivers.ts'
import { cancelHeldOrder, type HeldOrder, markForClosing, newestAttempt } from '../orders/order-record.ts'
import { orders } from '../tables/orders.ts'
import { paymentAttempts } from '../tables/payments.ts'

/** Throws if no configured driver accepts method and amount. */
export function resolvePaymentMethod(deps: BillingDeps, method: MethodId | null, amountIdr: number) {
  if (method === null) throw appError('form.invalid', { details: { method: 'checkout.methodRequired' } })
  const driver = driverFor(deps, method)
  const { min, max } = paymentMethods[method]
  if (!driver || amountIdr < min || amountIdr > max) throw appError('payment.method_unavailable')
  return { method, driver: driver.id }
}

/** An order with less time is not offered again. */
export const minSecondsToPay = 600
const daySeconds = 24 * 3600

/**
 * Adds an attempt, unless the newest one is still usable. The order ends when it would have ended;
 * past that it is cancelled. Only an order agreed for less than a day is extended, to the time that
 * the new method would have given from the start, at most that day: choosing methods repeatedly
 * cannot hold a price or voucher longer. An order whose bank account number would expire within
 * minutes is cancelled instead.
 */
export async function renewAttempt(
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
  const way = resolvePaymentMethod(deps, method ?? order.method, order.totalIdr)
  const usable = last && (last.status === 'open' || last.status === 'creating') && !last.closing && last.expiresAt > now
  if (usable && last.method === way.method && last.driver === way.driver) return
  const { kind, expiresInSeconds } = paymentMethods[way.method]
  const fromNow = now.getTime() + expiresInSeconds * 1000
  const fromStart = order.createdAt.getTime() + Math.min(expiresInSeconds, daySeconds) * 1000
  const agreedUntil = order.expiresAt && Math.max(order.expiresAt.getTime(), fromStart)
  if (agreedUntil !== null && kind === 'bank' && agreedUntil - now.getTime() < minSecondsToPay * 1000) {
    await cancelHeldOrder(tx, order, { by: 'system', reason: 'expired', now })
    return
  }
  await markForClosing(tx, order.id, now)
  await tx.insert(paymentAttempts).values({
    id: uuid(),
    orderId: order.id,
    driver: way.driver,
    method: way.method,
    amountIdr: order.totalIdr,
    status: 'creating',
    createdAt: now,
    expiresAt: new Date(Math.min(fromNow, agreedUntil ?? fromNow)),
  })
  await tx
    .update(orders)
    .set({
      method: way.method,
      driver: way.driver,
      ...(agreedUntil !== null && { expiresAt: new Date(agreedUntil) }),
      ...(mobileNumber !== null && { mobileNumber }),
    })
    .where(eq(orders.id, order.id))
}
