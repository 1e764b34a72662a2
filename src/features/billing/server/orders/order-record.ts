import { and, asc, desc, eq, inArray, isNull, ne, type SQL } from 'drizzle-orm'
import { users } from '#server/auth/table.ts'
import type { Executor, Transaction } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import { appError } from '#server/http/app-error.ts'
import { publish } from '#server/notify.ts'
import { addTime } from '#shared/time.ts'
import { type InvoiceBuyer, isOpenOrder, type OrderActor, type OrderStatus, orderStatus } from '../../rules.ts'
import type { BillingDeps } from '../deps.ts'
import type { PaymentSession } from '../drivers/payment-driver.ts'
import { orderHistory, orders, voucherRedemptions } from '../tables/orders.ts'
import { paymentAttempts } from '../tables/payments.ts'
import { changeVoucherUses } from '../vouchers/vouchers.ts'

export type Order = typeof orders.$inferSelect
export type Attempt = typeof paymentAttempts.$inferSelect

/** Locked until the transaction ends: only the holder of the lock may change the order. */
export interface HeldOrder extends Order {
  readonly held: true
}

/** The reason is a message key, or an admin's own text. */
export interface Change {
  by: OrderActor
  actorId?: string
  reason: string
  now: Date
}

/** Seconds until polling retries the closing of a session. */
const closingRetrySeconds = 60

/** As far as this server knows. */
export const mayBePaid: SQL = inArray(paymentAttempts.status, ['creating', 'open'])

/** Serializes changes of the order; with `userId` only an order of that user. */
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

/** Until the payment, which issues the invoice. Throws `order.invoice_final` afterwards. */
export async function setInvoiceBuyer(
  { db }: Pick<BillingDeps, 'db'>,
  { id, userId, buyer }: { id: string; userId: string; buyer: InvoiceBuyer | null },
): Promise<void> {
  await transact(db, async (tx) => {
    const order = await holdOrder(tx, id, userId)
    if (!isOpenOrder(order) || order.totalIdr === 0) throw appError('order.invoice_final')
    await tx.update(orders).set({ invoiceBuyer: buyer }).where(eq(orders.id, id))
    await publish(tx, { kind: 'order', userId, orderId: id })
  })
}

/** The lock prevents a deletion of the account until the transaction ends. */
export async function isBuyerDeleted(tx: Transaction, { userId }: Pick<Order, 'userId'>): Promise<boolean> {
  const [buyer] = await tx.select({ deletedAt: users.deletedAt }).from(users).where(eq(users.id, userId)).for('share')
  return buyer?.deletedAt != null
}

export async function newestAttempt(executor: Executor, orderId: string): Promise<Attempt | undefined> {
  const [attempt] = await executor
    .select()
    .from(paymentAttempts)
    .where(eq(paymentAttempts.orderId, orderId))
    .orderBy(desc(paymentAttempts.id))
    .limit(1)
  return attempt
}

export async function findAttempts(executor: Executor, condition: SQL | undefined): Promise<Attempt[]> {
  return await executor.select().from(paymentAttempts).where(condition).orderBy(asc(paymentAttempts.id))
}

/** Notifies the buyer's devices once the transaction commits. */
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

/** A payment is reported to be on its way. */
export async function markAwaitingConfirmation(tx: Transaction, order: HeldOrder, change: Change): Promise<boolean> {
  if (order.status !== orderStatus.unpaid) return false
  await tx.update(orders).set({ status: orderStatus.awaiting }).where(eq(orders.id, order.id))
  await writeHistory(tx, order, order.status, orderStatus.awaiting, change)
  return true
}

/** Releases the voucher, and marks open sessions for closing. */
export async function cancelHeldOrder(tx: Transaction, order: HeldOrder, change: Change): Promise<boolean> {
  if (order.status !== orderStatus.unpaid && order.status !== orderStatus.awaiting) return false
  await tx.update(orders).set({ status: orderStatus.cancelled }).where(eq(orders.id, order.id))
  await releaseVoucher(tx, order, change.now)
  await markForClosing(tx, order.id, change.now)
  await writeHistory(tx, order, order.status, orderStatus.cancelled, change)
  return true
}

/** The caller closes the sessions after the commit; otherwise polling does. */
export async function markForClosing(tx: Transaction, orderId: string, now: Date): Promise<void> {
  await tx
    .update(paymentAttempts)
    .set({ closing: true, readAt: addTime(now, { seconds: closingRetrySeconds }) })
    .where(and(eq(paymentAttempts.orderId, orderId), mayBePaid))
}

/** Stops reading the gateway. A paid attempt stays paid: an older reading may be applied later. */
export async function endAttempt(
  tx: Transaction,
  { id }: Attempt,
  status: 'paid' | 'failed' | 'expired' | 'cancelled',
): Promise<void> {
  const changeable =
    status === 'paid' ? undefined : status === 'failed' ? mayBePaid : ne(paymentAttempts.status, 'paid')
  await tx
    .update(paymentAttempts)
    .set({ status, closing: false, readAt: null, leasedAt: null, request: null })
    .where(and(eq(paymentAttempts.id, id), changeable))
}

/** Stores the gateway's id if there is none yet, so that a later payment finds its order. */
export async function storeSessionId(
  executor: Executor,
  { id }: Pick<Attempt, 'id'>,
  { sessionId, requestId }: Pick<PaymentSession, 'sessionId' | 'requestId'>,
): Promise<Attempt | undefined> {
  const [named] = await executor
    .update(paymentAttempts)
    .set({ sessionId, ...(requestId !== undefined && { requestId }) })
    .where(and(eq(paymentAttempts.id, id), isNull(paymentAttempts.sessionId)))
    .returning()
  return named
}

async function releaseVoucher(tx: Transaction, { id, voucherId }: HeldOrder, now: Date): Promise<void> {
  if (voucherId === null) return
  const released = await tx
    .update(voucherRedemptions)
    .set({ releasedAt: now })
    .where(and(eq(voucherRedemptions.orderId, id), isNull(voucherRedemptions.releasedAt)))
    .returning({ orderId: voucherRedemptions.orderId })
  if (released.length > 0) await changeVoucherUses(tx, voucherId, -1)
}
