import { eq } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { Transaction } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import { appError } from '#server/http/app-error.ts'
import { orderStatus } from '../contract.ts'
import { type MethodId, paymentMethods } from '../methods.ts'
import { closeSession } from './close-session.ts'
import { createOrder, wayToPay } from './create-order.ts'
import type { BillingDeps } from './deps.ts'
import { type Attempt, type HeldOrder, holdOrder, newestAttempt } from './order-record.ts'
import { startPayment } from './start-payment.ts'
import { orders, paymentAttempts } from './table.ts'

/**
 * Another go at paying. An order that is still unpaid gets a new session, by another method if one is given, or keeps the one that is open; a cancelled
 * one is placed anew at today's prices. Answers with the order to pay.
 */
export async function payAgain(
  deps: BillingDeps,
  userId: string,
  key: string,
  { id, method }: { id: string; method: MethodId | null },
): Promise<{ id: string; created: boolean }> {
  const { order, replaced } = await transact(deps.db, async (tx) => {
    const order = await holdOrder(tx, id, userId)
    return { order, replaced: order.status === orderStatus.unpaid ? await renew(tx, deps, order, method) : undefined }
  })
  if (order.status === orderStatus.cancelled) {
    return await createOrder(deps, userId, key, {
      packageId: order.packageId,
      voucherCode: order.voucherCode,
      method: method ?? order.method,
      acceptedAt: order.acceptedAt,
    })
  }
  if (order.status !== orderStatus.unpaid) throw appError('order.not_payable')
  if (replaced) await closeSession(deps, replaced)
  await startPayment(deps, id)
  return { id, created: false }
}

/** Writes the next attempt down, unless the last one will do; answers with the attempt that it takes the place of. */
async function renew(
  tx: Transaction,
  deps: BillingDeps,
  order: HeldOrder,
  method: MethodId | null,
): Promise<Attempt | undefined> {
  const now = deps.clock()
  const last = await newestAttempt(tx, order.id)
  const way = wayToPay(deps, method ?? order.method, order.totalIdr)
  const usable = last && (last.status === 'open' || last.status === 'creating') && last.expiresAt > now
  if (usable && last.method === way.method && last.driver === way.driver) return undefined
  const expiresAt = new Date(now.getTime() + paymentMethods[way.method].expiresInSeconds * 1000)
  await tx.insert(paymentAttempts).values({
    id: uuid(),
    orderId: order.id,
    driver: way.driver,
    method: way.method,
    amountIdr: order.totalIdr,
    status: 'creating',
    createdAt: now,
    expiresAt,
  })
  await tx.update(orders).set({ method: way.method, driver: way.driver, expiresAt }).where(eq(orders.id, order.id))
  return last
}
