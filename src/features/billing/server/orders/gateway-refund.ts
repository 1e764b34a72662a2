import { and, asc, desc, eq, lte } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import { requireAuthorityOver } from '#server/auth/accounts.ts'
import type { Transaction } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import { appError } from '#server/http/app-error.ts'
import { addTime } from '#shared/time.ts'
import { paymentMethods } from '../../payment-methods.ts'
import { orderStatus } from '../../rules.ts'
import type { BillingDeps } from '../deps.ts'
import { findDriver } from '../drivers/find-driver.ts'
import { PaymentRefused, type RefundState } from '../drivers/payment-driver.ts'
import { gatewayRefunds, orderRefunds, paymentAttempts, payments } from '../tables/payments.ts'
import { type HeldOrder, holdOrder, type Order } from './order-record.ts'
import { reservedIdr, summarizePayments } from './payment-summary.ts'
import { sendBack } from './refund-order.ts'

type GatewayRefund = typeof gatewayRefunds.$inferSelect

const rereadSeconds = 60
const batch = 100

/** By its method and the configured gateway. */
export function isRefundableByGateway(
  deps: BillingDeps,
  { method, driver }: Pick<Order, 'method' | 'driver'>,
): boolean {
  if (method === null || driver === null || !paymentMethods[method].refundable) return false
  return findDriver(deps, driver)?.refunds !== undefined
}

/**
 * Stores the refund before the gateway is asked, so that a crash neither loses nor repeats it. The
 * refund counts, and credits are taken back, once the gateway has sent the money.
 */
export async function refundByGateway(
  deps: BillingDeps,
  { orderId, adminId, key }: { orderId: string; adminId: string; key: string },
  { amountIdr, reason, takeCredits }: { amountIdr: number; reason: string; takeCredits: boolean },
): Promise<Pick<GatewayRefund, 'id' | 'amountIdr' | 'status'>> {
  const now = deps.clock()
  const { id } = await transact(deps.db, async (tx) => {
    const order = await holdOrder(tx, orderId)
    await requireAuthorityOver(tx, adminId, order.userId)
    const same = and(eq(gatewayRefunds.orderId, orderId), eq(gatewayRefunds.idempotencyKey, key))
    const [known] = await tx.select().from(gatewayRefunds).where(same)
    if (known && known.amountIdr !== amountIdr) throw appError('idempotency.reused')
    if (known) return known
    if (order.status !== orderStatus.paid) throw appError('order.not_paid')
    if (!isRefundableByGateway(deps, order)) throw appError('order.not_refundable_by_gateway')
    if (amountIdr > (await leftOf(tx, order)))
      throw appError('form.invalid', { details: { amountIdr: 'form.invalid' } })
    const readAt = addTime(now, { seconds: rereadSeconds })
    const row = { id: uuid(), orderId, idempotencyKey: key, amountIdr, reason, takeCredits, createdBy: adminId }
    await tx.insert(gatewayRefunds).values({ ...row, status: 'sending', createdAt: now, readAt })
    return row
  })
  await followGatewayRefund(deps, id).catch((error: unknown) => {
    deps.log.warn({ err: error, orderId }, 'could not ask the gateway for a refund; it is asked again')
  })
  const [after] = await deps.db.select().from(gatewayRefunds).where(eq(gatewayRefunds.id, id))
  return { id, amountIdr, status: after?.status ?? 'sending' }
}

async function leftOf(tx: Transaction, order: HeldOrder): Promise<number> {
  const received = await tx.select().from(payments).where(eq(payments.orderId, order.id))
  const sent = await tx.select().from(orderRefunds).where(eq(orderRefunds.orderId, order.id))
  return summarizePayments(order, received, sent).left - (await reservedIdr(tx, order.id))
}

/** Asks the gateway to send the money, or for the outcome; repeating sends nothing twice. */
async function followGatewayRefund(deps: BillingDeps, id: string): Promise<void> {
  const [refund] = await deps.db.select().from(gatewayRefunds).where(eq(gatewayRefunds.id, id))
  if (refund?.status !== 'sending') return
  let state: RefundState
  try {
    state = await askGateway(deps, refund)
  } catch (error) {
    if (!(error instanceof PaymentRefused)) throw error
    state = { refundId: refund.refundId, status: 'failed', failure: error.message }
  }
  const now = deps.clock()
  await transact(deps.db, async (tx) => {
    const order = await holdOrder(tx, refund.orderId)
    const [held] = await tx.select().from(gatewayRefunds).where(eq(gatewayRefunds.id, id)).for('update')
    if (held?.status !== 'sending') return
    const status = state.status === 'succeeded' ? 'sent' : state.status === 'failed' ? 'failed' : 'sending'
    const readAt = addTime(now, { seconds: rereadSeconds })
    const change = { status, refundId: state.refundId, failure: state.failure?.slice(0, 200) ?? null, readAt } as const
    await tx.update(gatewayRefunds).set(change).where(eq(gatewayRefunds.id, id))
    if (status !== 'sent') return
    const { amountIdr, reason, takeCredits, createdBy } = held
    const reference = state.refundId ?? id
    const request = { orderId: order.id, adminId: createdBy, key: `gateway:${id}` }
    await sendBack(tx, order, request, { amountIdr, reference, reason, takeCredits }, now)
  })
}

async function askGateway(
  deps: BillingDeps,
  { id, orderId, amountIdr, refundId }: GatewayRefund,
): Promise<RefundState> {
  const [attempt] = await deps.db
    .select()
    .from(paymentAttempts)
    .where(and(eq(paymentAttempts.orderId, orderId), eq(paymentAttempts.status, 'paid')))
    .orderBy(desc(paymentAttempts.id))
    .limit(1)
  const refunds = attempt && findDriver(deps, attempt.driver)?.refunds
  // An admin confirmed the order although the gateway never reported its payment.
  if (!refunds || attempt.sessionId === null) throw new PaymentRefused('the gateway has no payment of this order', 404)
  if (refundId !== null) return await refunds.read(refundId)
  return await refunds.send({ id, amountIdr, sessionId: attempt.sessionId, requestId: attempt.requestId })
}

/** Every minute: refunds whose outcome is unknown, after a crash or while the gateway works. */
export async function followGatewayRefunds(deps: BillingDeps): Promise<void> {
  const due = await deps.db
    .select({ id: gatewayRefunds.id, orderId: gatewayRefunds.orderId })
    .from(gatewayRefunds)
    .where(and(eq(gatewayRefunds.status, 'sending'), lte(gatewayRefunds.readAt, deps.clock())))
    .orderBy(asc(gatewayRefunds.readAt))
    .limit(batch)
  for (const { id, orderId } of due) {
    await followGatewayRefund(deps, id).catch((error: unknown) => {
      deps.log.warn({ err: error, orderId }, 'could not read a refund at the gateway')
    })
  }
}
