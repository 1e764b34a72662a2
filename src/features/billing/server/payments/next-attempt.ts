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

/** Who can take this amount by this method; throws when nobody can. */
export function wayToPay(deps: BillingDeps, method: MethodId | null, amountIdr: number) {
  if (method === null) throw appError('form.invalid', { details: { method: 'checkout.methodRequired' } })
  const driver = driverFor(deps, method)
  const { min, max } = paymentMethods[method]
  if (!driver || amountIdr < min || amountIdr > max) throw appError('payment.method_unavailable')
  return { method, driver: driver.id }
}

/** An order with less time left than this is not offered again. */
export const leastSecondsToPay = 600
const daySeconds = 24 * 3600

/**
 * Writes the next attempt of an unpaid order down, unless the last one will do. What was agreed
 * ends when it would have ended; after that the order is over. Only what was agreed for less than a
 * day goes on for as long as this method would have had from the start, within that day: choosing
 * again and again keeps neither a price nor a voucher. An account number that ends within minutes
 * is of no use to anybody.
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
  const way = wayToPay(deps, method ?? order.method, order.totalIdr)
  const usable = last && (last.status === 'open' || last.status === 'creating') && !last.closing && last.expiresAt > now
  if (usable && last.method === way.method && last.driver === way.driver) return
  const { kind, expiresInSeconds } = paymentMethods[way.method]
  const fromNow = now.getTime() + expiresInSeconds * 1000
  const fromStart = order.createdAt.getTime() + Math.min(expiresInSeconds, daySeconds) * 1000
  const agreedUntil = order.expiresAt && Math.max(order.expiresAt.getTime(), fromStart)
  if (agreedUntil !== null && kind === 'bank' && agreedUntil - now.getTime() < leastSecondsToPay * 1000) {
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
