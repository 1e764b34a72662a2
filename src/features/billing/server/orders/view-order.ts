import { and, asc, eq, inArray, isNotNull, isNull } from 'drizzle-orm'
import { keyset } from '#server/db/keyset.ts'
import { appError } from '#server/http/app-error.ts'
import type { Page, PageRequest } from '#shared/paging.ts'
import { isOpenOrder, orderStatus, type PaymentProblem } from '../../rules.ts'
import type { OrderView, PaymentView } from '../../schemas.ts'
import type { BillingDeps } from '../deps.ts'
import { orderHistory, orders } from '../tables/orders.ts'
import { paymentAttempts, payments } from '../tables/payments.ts'
import type { Attempt, Order } from './order-record.ts'

type Tools = Pick<BillingDeps, 'db'>
type HistoryRow = typeof orderHistory.$inferSelect

/** Numbers continue across years. */
export function receiptNumber(receipt: number): string {
  return `R-${String(receipt).padStart(6, '0')}`
}

/** Such as `INV/2026/000123`; null without an invoice. */
export function invoiceName({ invoiceYear, invoiceNumber }: Pick<Order, 'invoiceYear' | 'invoiceNumber'>) {
  if (invoiceYear === null || invoiceNumber === null) return null
  return `INV/${invoiceYear}/${String(invoiceNumber).padStart(6, '0')}`
}

export async function readOrder({ db }: Tools, userId: string, id: string): Promise<OrderView> {
  const [order] = await db
    .select()
    .from(orders)
    .where(and(eq(orders.id, id), eq(orders.userId, userId)))
  if (!order) throw appError('order.not_found')
  return (await viewOrders({ db }, [order]))[0] as OrderView
}

// Ids are ordered by creation time.
const newestFirst = keyset<Order>('orders', 'descending', [{ column: orders.id, type: 'uuid', of: ({ id }) => id }])

export async function listOrders({ db }: Tools, userId: string, page: PageRequest): Promise<Page<OrderView>> {
  const { rows, nextCursor } = await newestFirst.read(db.select().from(orders), eq(orders.userId, userId), page)
  return { items: await viewOrders({ db }, rows), nextCursor }
}

/** Keeps the given order. */
export async function viewOrders({ db }: Tools, found: Order[]): Promise<OrderView[]> {
  if (found.length === 0) return []
  const ids = found.map(({ id }) => id)
  const [history, attempts, problems] = await Promise.all([
    db.select().from(orderHistory).where(inArray(orderHistory.orderId, ids)).orderBy(asc(orderHistory.id)),
    db.select().from(paymentAttempts).where(inArray(paymentAttempts.orderId, ids)).orderBy(asc(paymentAttempts.id)),
    db
      .select({ orderId: payments.orderId, problem: payments.problem })
      .from(payments)
      .where(and(inArray(payments.orderId, ids), isNotNull(payments.problem), isNull(payments.settledAt))),
  ])
  return found.map((order) =>
    viewOrder(
      order,
      attempts.findLast(({ orderId }) => orderId === order.id),
      history.filter(({ orderId }) => orderId === order.id),
      problems.find(({ orderId }) => orderId === order.id)?.problem ?? null,
    ),
  )
}

function viewOrder(
  order: Order,
  attempt: Attempt | undefined,
  history: HistoryRow[],
  moneyProblem: PaymentProblem | null,
): OrderView {
  const { id, status, packageId, packageName, packageCents, packageCredits, packageDays } = order
  const unpaid = status === orderStatus.unpaid
  return {
    id,
    status,
    package:
      packageId !== null && packageName !== null && packageDays !== null
        ? { id: packageId, name: packageName, cents: packageCents, credits: packageCredits, days: packageDays }
        : null,
    voucher:
      order.voucherCode !== null && order.voucherKind !== null
        ? { code: order.voucherCode, kind: order.voucherKind, credits: order.voucherCredits }
        : null,
    idrPerUsd: order.idrPerUsd,
    subtotalIdr: order.subtotalIdr,
    discountIdr: order.discountIdr,
    transferDigits: order.transferDigits,
    totalIdr: order.totalIdr,
    ppnPercent: order.ppnPercent,
    ppnIdr: order.ppnIdr,
    method: order.method,
    payment: attempt && (unpaid || status === orderStatus.awaiting) ? viewPayment(attempt) : null,
    invoiceBuyer: order.invoiceBuyer,
    invoiceNumber: invoiceName(order),
    receiptNumber: order.receipt === null ? null : receiptNumber(order.receipt),
    moneyProblem,
    proofSent: order.proofKey !== null,
    canCancel: unpaid,
    canPayAgain: unpaid || status === orderStatus.cancelled,
    canChangeInvoice: isOpenOrder(order) && order.totalIdr > 0,
    canReportTransfer: unpaid && order.driver === 'manual',
    createdAt: order.createdAt.toISOString(),
    expiresAt: order.expiresAt?.toISOString() ?? null,
    paidAt: order.paidAt?.toISOString() ?? null,
    history: history.map(({ from, to, by, reason, createdAt }) => ({
      from,
      to,
      by,
      reason,
      at: createdAt.toISOString(),
    })),
  }
}

function viewPayment(attempt: Attempt): PaymentView {
  const { driver, url, vaNumber, qrContent, account, expiresAt } = attempt
  const status = attempt.status === 'open' || attempt.status === 'creating' ? attempt.status : 'failed'
  const open = status === 'open'
  return {
    driver,
    status,
    url: open ? url : null,
    vaNumber: open ? vaNumber : null,
    qrContent: open ? qrContent : null,
    account: open ? account : null,
    expiresAt: expiresAt.toISOString(),
  }
}
