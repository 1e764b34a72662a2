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

/**
 * Writes the next attempt of an unpaid order down, unless the last one will do. What was agreed
 * ends when it would have ended; after that the order is over.
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
