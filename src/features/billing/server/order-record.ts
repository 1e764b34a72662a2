import { and, desc, eq } from 'drizzle-orm'
import type { Executor, Transaction } from '#server/db/database.ts'
import { appError } from '#server/http/app-error.ts'
import { publish } from '#server/notify.ts'
import { type OrderActor, type OrderStatus, orderStatus } from '../contract.ts'
import { orderHistory, orders, paymentAttempts, voucherRedemptions } from './table.ts'

export type Order = typeof orders.$inferSelect
export type Attempt = typeof paymentAttempts.$inferSelect

/** An order held until the transaction ends: only its holder may change it. */
export interface HeldOrder extends Order {
  readonly held: true
}

/** Who changes an order, and why; the reason is a key, or what an admin wrote. */
export interface Change {
  by: OrderActor
  actorId?: string
  reason: string
  now: Date
}

/** Locks an order, so that its changes happen one after the other; a user only finds his own. */
export async function holdOrder(tx: Transaction, id: string, userId?: string): Promise<HeldOrder> {
  const mine = userId === undefined ? undefined : eq(orders.userId, userId)
  const [order] = await tx
    .select()
    .from(orders)
    .where(and(eq(orders.id, id), mine))
    .for('update')
  if (!order) throw appError('order.not_found')
  return { ...order, held: true }
}

/** The newest attempt to have an order paid. */
export async function newestAttempt(executor: Executor, orderId: string): Promise<Attempt | undefined> {
  const [attempt] = await executor
    .select()
    .from(paymentAttempts)
    .where(eq(paymentAttempts.orderId, orderId))
    .orderBy(desc(paymentAttempts.id))
    .limit(1)
  return attempt
}

/** Records a transition of an order, and tells its buyer's devices once the transaction commits. */
export async function writeHistory(
  tx: Transaction,
  { id: orderId, userId }: Pick<Order, 'id' | 'userId'>,
  from: OrderStatus | null,
  to: OrderStatus,
  { by, actorId, reason, now }: Change,
): Promise<void> {
  await tx.insert(orderHistory).values({ orderId, from, to, by, actorId: actorId ?? null, reason, createdAt: now })
  await publish(tx, { kind: 'order', userId, orderId })
}

/** 1 → 0: money is said to be on its way. */
export async function awaitConfirmation(tx: Transaction, order: HeldOrder, change: Change): Promise<boolean> {
  if (order.status !== orderStatus.unpaid) return false
  await tx.update(orders).set({ status: orderStatus.awaiting }).where(eq(orders.id, order.id))
  await writeHistory(tx, order, order.status, orderStatus.awaiting, change)
  return true
}

/** 0/1 → 3; the voucher can be used again. */
export async function cancelHeldOrder(tx: Transaction, order: HeldOrder, change: Change): Promise<boolean> {
  if (order.status !== orderStatus.unpaid && order.status !== orderStatus.awaiting) return false
  await tx.update(orders).set({ status: orderStatus.cancelled }).where(eq(orders.id, order.id))
  await tx.update(voucherRedemptions).set({ releasedAt: change.now }).where(eq(voucherRedemptions.orderId, order.id))
  await writeHistory(tx, order, order.status, orderStatus.cancelled, change)
  return true
}
