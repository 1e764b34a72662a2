import { eq, sql } from 'drizzle-orm'
import { credits } from '#features/credits/server/credits.ts'
import { push } from '#features/push/server/push.ts'
import { users } from '#server/auth/table.ts'
import type { Transaction } from '#server/db/database.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { addTime, wibDay } from '#shared/time.ts'
import { orderStatus, voucherDays } from '../../rules.ts'
import type { BillingDeps } from '../deps.ts'
import { invoiceCounters, orders, receiptCounter, voucherRedemptions } from '../tables/orders.ts'
import { changeVoucherUses, isVoucherExhausted } from '../vouchers/vouchers.ts'
import { type Change, type HeldOrder, markForClosing, writeHistory } from './order-record.ts'

/**
 * Marks the order as paid, numbers its receipt and invoice, and grants its credits, all in this
 * transaction and once, even if it was cancelled before. Queues the receipt. False if the order was
 * paid already.
 */
export async function settleOrder(
  tx: Transaction,
  { config }: Pick<BillingDeps, 'config'>,
  order: HeldOrder,
  change: Change,
): Promise<boolean> {
  if (order.status === orderStatus.paid) return false
  const { now } = change
  const { id, userId } = order
  const given = await retakeVoucher(tx, order)
  await grantCredits(tx, given, now)
  // Last, because all concurrent payments wait for the lock on this row.
  const [counter] = await tx
    .update(receiptCounter)
    .set({ last: sql`${receiptCounter.last} + 1` })
    .where(eq(receiptCounter.id, 1))
    .returning({ last: receiptCounter.last })
  if (!counter) throw new Error('the receipt counter is missing')
  const invoice = order.totalIdr > 0 ? await nextInvoice(tx, now) : {}
  const [buyer] = await tx.select({ name: users.name }).from(users).where(eq(users.id, userId))
  const receiptParties = { buyer: buyer?.name ?? '', seller: config.payment.seller }
  await tx
    .update(orders)
    .set({ status: orderStatus.paid, paidAt: now, receipt: counter.last, receiptParties, ...invoice })
    .where(eq(orders.id, id))
  await markForClosing(tx, id, now)
  await writeHistory(tx, order, order.status, orderStatus.paid, change)
  await push.enqueue(tx, { kind: 'payment_arrived', userId, subjectId: id, now })
  await enqueueMail(tx, { template: 'receipt', userId, subjectId: id, now })
  return true
}

/** The first order of a year starts its counter, concurrent ones included. */
async function nextInvoice(tx: Transaction, now: Date): Promise<{ invoiceYear: number; invoiceNumber: number }> {
  const invoiceYear = Number(wibDay(now).slice(0, 4))
  const [counter] = await tx
    .insert(invoiceCounters)
    .values({ year: invoiceYear, last: 1 })
    .onConflictDoUpdate({ target: invoiceCounters.year, set: { last: sql`${invoiceCounters.last} + 1` } })
    .returning({ last: invoiceCounters.last })
  if (!counter) throw new Error('an invoice was not numbered')
  return { invoiceYear, invoiceNumber: counter.last }
}

/**
 * A cancelled order has released its voucher, and other buyers may have used it up. The amount that
 * the buyer was asked to pay still buys the package, discounted or not; but free credits beyond the
 * voucher's limits are not given, and a use beyond them is not counted.
 */
async function retakeVoucher(tx: Transaction, order: HeldOrder): Promise<HeldOrder> {
  const { id, userId, status, voucherId } = order
  if (status !== orderStatus.cancelled || voucherId === null) return order
  if (await isVoucherExhausted(tx, voucherId, userId)) {
    await tx.update(orders).set({ voucherCredits: 0 }).where(eq(orders.id, id))
    return { ...order, voucherCredits: 0 }
  }
  await tx.update(voucherRedemptions).set({ releasedAt: null }).where(eq(voucherRedemptions.orderId, id))
  await changeVoucherUses(tx, voucherId, 1)
  return order
}

async function grantCredits(tx: Transaction, order: HeldOrder, now: Date): Promise<void> {
  const { id, userId, packageName, packageDays } = order
  const event = { userId, uniqueKey: `purchase:${id}`, subjectId: id, now }
  if (packageName !== null && packageDays !== null) {
    if (order.packageCredits === null) {
      await credits.extendUnlimited(tx, { ...event, days: packageDays, note: packageName })
    } else {
      await credits.grant(tx, {
        ...event,
        kind: 'purchase',
        source: 'package',
        amount: order.packageCredits,
        expiresAt: addTime(now, { days: packageDays }),
        note: packageName,
      })
    }
  }
  if (order.voucherCredits > 0) {
    await credits.grant(tx, {
      ...event,
      kind: 'voucher',
      source: 'voucher',
      amount: order.voucherCredits,
      expiresAt: addTime(now, { days: order.voucherDays ?? voucherDays }),
      uniqueKey: `voucher:${id}`,
      ...(order.voucherCode && { note: order.voucherCode }),
    })
  }
}
