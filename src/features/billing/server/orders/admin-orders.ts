import {
  and,
  asc,
  count,
  desc,
  eq,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  ne,
  type SQL,
  sql,
  sum,
} from 'drizzle-orm'
import { validate as isUuid } from 'uuid'
import { dueAtOf } from '#features/assignments/rules.ts'
import { assignments } from '#features/assignments/server/assignments.ts'
import { audit } from '#server/audit/audit.ts'
import { isFound } from '#server/auth/accounts.ts'
import { users } from '#server/auth/table.ts'
import type { Executor } from '#server/db/database.ts'
import { type Key, type Keyset, keyset } from '#server/db/keyset.ts'
import { readWithTimeLimit, totalsMilliseconds, transact } from '#server/db/transact.ts'
import { appError } from '#server/http/app-error.ts'
import type { Page, PageRequest } from '#shared/paging.ts'
import type { AdminOrderView, listAdminOrdersInput, OrderTotals, orderFilter } from '../../admin/schemas.ts'
import { type OrderSort, type OrderStatus, orderStatus, type RefundState } from '../../rules.ts'
import type { BillingDeps } from '../deps.ts'
import { isOpen, orderHistory, orders, voucherRedemptions } from '../tables/orders.ts'
import { gatewayRefunds, orderRefunds, paymentAttempts, payments } from '../tables/payments.ts'
import { isRefundableByGateway } from './gateway-refund.ts'
import type { Order } from './order-record.ts'
import { receivedIdr, summarizePayments } from './payment-summary.ts'
import { viewOrders } from './view-order.ts'

/** Newest first. */
export async function listAdminOrders(
  deps: BillingDeps,
  staffId: string,
  query: typeof listAdminOrdersInput.infer,
  { cursor, limit = 20 }: PageRequest = query,
): Promise<Page<AdminOrderView>> {
  const order = orderOrders[query.sort ?? 'newest']
  const which = and(await orderConditions(deps, staffId, query), order.after(cursor))
  const { rows: items, nextCursor } = order.page(await select(deps, which, limit + 1, order.orderBy), limit)
  return { items, nextCursor }
}

// Ids are ordered by creation time.
const byId: Key<AdminOrderView> = { column: orders.id, type: 'uuid', of: ({ id }) => id }
const byTotal: Key<AdminOrderView> = { column: orders.totalIdr, type: 'bigint', of: ({ totalIdr }) => totalIdr }
const orderOrders: Record<OrderSort, Keyset<AdminOrderView>> = {
  newest: keyset('all_orders:newest', 'descending', [byId]),
  oldest: keyset('all_orders:oldest', 'ascending', [byId]),
  total_desc: keyset('all_orders:total_desc', 'descending', [byTotal, byId]),
  total_asc: keyset('all_orders:total_asc', 'ascending', [byTotal, byId]),
  dearest: keyset('all_orders:dearest', 'descending', [byTotal, byId]),
  cheapest: keyset('all_orders:cheapest', 'ascending', [byTotal, byId]),
}

async function orderConditions(
  { db }: { db: Executor },
  staffId: string,
  { status, driver, method, refund, ids, user, voucher, search, problem, mine, from, to }: typeof orderFilter.infer,
  reads: 'page' | 'all' = 'page',
): Promise<SQL | undefined> {
  const troubled = db
    .select({ id: payments.orderId })
    .from(payments)
    .where(and(isNotNull(payments.problem), isNull(payments.settledAt)))
  return and(
    status === undefined ? undefined : eq(orders.status, Number(status) as OrderStatus),
    driver === undefined ? undefined : eq(orders.driver, driver),
    method === undefined ? undefined : eq(orders.method, method),
    refund === undefined ? undefined : isRefunded({ db }, refund),
    ids === undefined ? undefined : inArray(orders.id, ids),
    user === undefined ? undefined : eq(orders.userId, user),
    voucher === undefined ? undefined : inArray(orders.id, ordersWithVoucher({ db }, voucher)),
    search ? await matchesSearch({ db }, search, reads) : undefined,
    problem === undefined ? undefined : inArray(orders.id, troubled),
    mine === undefined ? undefined : assignments.isAssignedTo('order', orders.id, staffId),
    from ? gte(orders.createdAt, from) : undefined,
    to ? lte(orders.createdAt, to) : undefined,
  )
}

/** Null if the query takes too long. */
export async function sumOrders(
  { db }: Pick<BillingDeps, 'db'>,
  filter: typeof orderFilter.infer,
  { staffId, withMoney }: { staffId: string; withMoney: boolean },
): Promise<OrderTotals> {
  return await readWithTimeLimit(db, totalsMilliseconds, async (tx) => {
    const which = await orderConditions({ db: tx }, staffId, filter, 'all')
    const [sums] = await tx
      .select({
        orders: count(),
        totalIdr: sum(orders.totalIdr),
        paidIdr: sql`sum(${orders.totalIdr}) filter (where ${orders.status} = ${orderStatus.paid})`,
      })
      .from(orders)
      .where(which)
    if (!withMoney) return { orders: sums?.orders ?? 0 }
    const [back] = await tx
      .select({ idr: sum(orderRefunds.amountIdr) })
      .from(orderRefunds)
      .innerJoin(orders, eq(orders.id, orderRefunds.orderId))
      .where(which)
    const [paidIdr, refundedIdr] = [Number(sums?.paidIdr ?? 0), Number(back?.idr ?? 0)]
    return {
      orders: sums?.orders ?? 0,
      totalIdr: Number(sums?.totalIdr ?? 0),
      paidIdr,
      refundedIdr,
      netIdr: paidIdr - refundedIdr,
    }
  })
}

/** Fully refunded if nothing is left of the received money. */
function isRefunded({ db }: { db: Executor }, state: RefundState): SQL | undefined {
  const refunded = inArray(orders.id, db.select({ id: orderRefunds.orderId }).from(orderRefunds))
  const sentIdr = sql`(select sum(${orderRefunds.amountIdr}) from ${orderRefunds}
    where ${orderRefunds.orderId} = ${orders.id})`
  if (state === 'any') return refunded
  return and(refunded, state === 'fully' ? gte(sentIdr, receivedIdr) : lt(sentIdr, receivedIdr))
}

function ordersWithVoucher({ db }: { db: Executor }, voucherId: string) {
  const { orderId, releasedAt } = voucherRedemptions
  return db
    .select({ id: orderId })
    .from(voucherRedemptions)
    .where(and(eq(voucherRedemptions.voucherId, voucherId), isNull(releasedAt)))
}

/**
 * Finds by number of the receipt or invoice, id, or the buyer's name or address; open orders also
 * by their total.
 */
async function matchesSearch(
  { db }: { db: Executor },
  search: string,
  reads: 'page' | 'all',
): Promise<SQL | undefined> {
  const receipt = /^r-?0*(\d{1,9})$/i.exec(search)?.[1]
  if (receipt) return eq(orders.receipt, Number(receipt))
  const [, year, invoice] = /^inv\W?(\d{4})\W0*(\d{1,9})$/i.exec(search) ?? []
  if (invoice) return and(eq(orders.invoiceYear, Number(year)), eq(orders.invoiceNumber, Number(invoice)))
  if (isUuid(search)) return eq(orders.id, search)
  // A bank statement shows only the amount of a transfer.
  if (/^\d{4,9}$/.test(search)) return and(isOpen(orders), eq(orders.totalIdr, Number(search)))
  return await isFound(db, search, orders.userId, reads)
}

export async function readAdminOrder(deps: BillingDeps, id: string): Promise<AdminOrderView> {
  const [found] = await select(deps, eq(orders.id, id), 1)
  if (!found) throw appError('order.not_found')
  return found
}

/** The audit log records the access. */
export async function openProof(
  { db, store, clock }: Pick<BillingDeps, 'db' | 'store' | 'clock'>,
  { id, adminId }: { id: string; adminId: string },
): Promise<{ body: ReadableStream<Uint8Array>; contentType: string }> {
  const [order] = await db
    .select({ key: orders.proofKey, contentType: orders.proofType })
    .from(orders)
    .where(eq(orders.id, id))
  if (!order?.key || !order.contentType) throw appError('order.not_found')
  const { body } = await store.stream(order.key)
  const subject = { kind: 'order', id }
  await transact(db, (tx) => audit(tx, { actor: adminId, action: 'order.proof_opened', subject, now: clock() }))
  return { body, contentType: order.contentType }
}

async function refundsOf({ db }: Pick<BillingDeps, 'db'>, ids: string[]) {
  if (ids.length === 0) return []
  return await db
    .select({ refund: orderRefunds, by: users.name })
    .from(orderRefunds)
    .leftJoin(users, eq(users.id, orderRefunds.createdBy))
    .where(inArray(orderRefunds.orderId, ids))
    .orderBy(asc(orderRefunds.id))
}

const total = (amounts: { amountIdr: number }[]) => amounts.reduce((sum, { amountIdr }) => sum + amountIdr, 0)

async function unsentRefundsOf({ db }: Pick<BillingDeps, 'db'>, ids: string[]) {
  if (ids.length === 0) return []
  const found = await db
    .select()
    .from(gatewayRefunds)
    .where(and(inArray(gatewayRefunds.orderId, ids), ne(gatewayRefunds.status, 'sent')))
    .orderBy(asc(gatewayRefunds.id))
  return found.flatMap(({ status, ...refund }) => (status === 'sent' ? [] : [{ ...refund, status }]))
}

/** In the order of each history. */
async function adminsOf({ db }: Pick<BillingDeps, 'db'>, ids: string[]): Promise<Map<string, (string | null)[]>> {
  if (ids.length === 0) return new Map()
  const found = await db
    .select({ orderId: orderHistory.orderId, by: orderHistory.by, name: users.name })
    .from(orderHistory)
    .leftJoin(users, eq(users.id, orderHistory.actorId))
    .where(inArray(orderHistory.orderId, ids))
    .orderBy(asc(orderHistory.id))
  const byOrder = Map.groupBy(found, ({ orderId }) => orderId)
  return new Map(
    [...byOrder].map(([id, changes]) => [id, changes.map(({ by, name }) => (by === 'admin' ? name : null))]),
  )
}

async function select(
  deps: BillingDeps,
  which: SQL | undefined,
  limit: number,
  order: SQL[] = [desc(orders.id)],
): Promise<AdminOrderView[]> {
  const { db } = deps
  const found = await db
    .select({
      order: orders,
      buyer: { id: users.id, name: users.name, email: users.email, role: users.role, duty: users.duty },
    })
    .from(orders)
    .innerJoin(users, eq(users.id, orders.userId))
    .where(which)
    .orderBy(...order)
    .limit(limit)
  const ids = found.map(({ order }) => order.id)
  const [views, attempts, received, actors, refunds, byGateway, assignees] = await Promise.all([
    viewOrders(
      { db },
      found.map(({ order }) => order),
    ),
    ids.length === 0
      ? []
      : await db
          .select()
          .from(paymentAttempts)
          .where(inArray(paymentAttempts.orderId, ids))
          .orderBy(asc(paymentAttempts.createdAt)),
    ids.length === 0
      ? []
      : await db.select().from(payments).where(inArray(payments.orderId, ids)).orderBy(asc(payments.id)),
    adminsOf({ db }, ids),
    refundsOf({ db }, ids),
    unsentRefundsOf({ db }, ids),
    assignments.assigneesOf(db, 'order', ids),
  ])
  return found.flatMap(({ order, buyer }: { order: Order; buyer: AdminOrderView['buyer'] }, index) => {
    const view = views[index]
    if (!view) return []
    const mine = received.filter(({ orderId }) => orderId === order.id)
    const back = refunds.filter(({ refund }) => refund.orderId === order.id)
    const pending = byGateway.filter(({ orderId }) => orderId === order.id)
    const money = summarizePayments(
      order,
      mine,
      back.map(({ refund }) => refund),
    )
    return [
      {
        ...view,
        buyer,
        assignee: assignees.get(order.id) ?? null,
        dueAt: order.status === orderStatus.awaiting ? dueAtOf('order', order.createdAt).toISOString() : null,
        driver: order.driver,
        receivedIdr: money.received,
        refundedIdr: total(back.map(({ refund }) => refund)),
        refundableIdr: money.left - total(pending.filter(({ status }) => status === 'sending')),
        refundableByGateway: isRefundableByGateway(deps, order),
        gatewayRefunds: pending.map(({ id, amountIdr, status, failure, createdAt }) => ({
          id,
          amountIdr,
          status,
          failure,
          at: createdAt.toISOString(),
        })),
        refunds: back.map(({ refund: { id, amountIdr, credits, reference, reason, createdAt }, by }) => ({
          id,
          amountIdr,
          credits,
          reference,
          reason,
          by,
          at: createdAt.toISOString(),
        })),
        history: view.history.map((change, index) => ({ ...change, actor: actors.get(order.id)?.[index] ?? null })),
        attempts: attempts
          .filter(({ orderId }) => orderId === order.id)
          .map(({ id, method, status, amountIdr, createdAt }) => ({
            id,
            method,
            status,
            amountIdr,
            at: createdAt.toISOString(),
          })),
        payments: mine.map(({ id, amount, currency, problem, receivedAt, settlement }) => ({
          id,
          amount,
          currency,
          problem,
          receivedAt: receivedAt.toISOString(),
          settlement,
        })),
      },
    ]
  })
}
