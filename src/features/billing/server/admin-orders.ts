import { and, asc, desc, eq, inArray, lt, type SQL } from 'drizzle-orm'
import type { Page } from '#contract/paging.ts'
import { users } from '#features/account/server/table.ts'
import { appError } from '#server/http/app-error.ts'
import type { AdminOrderView, listAdminOrdersInput, OrderStatus } from '../contract.ts'
import type { BillingDeps } from './deps.ts'
import type { Order } from './order-record.ts'
import { orders, payments } from './table.ts'
import { viewOrders } from './view-order.ts'

/** Everybody's orders, newest first, as admins see them. */
export async function listAdminOrders(
  deps: Pick<BillingDeps, 'db'>,
  { status, driver, cursor, limit = 20 }: typeof listAdminOrdersInput.infer,
): Promise<Page<AdminOrderView>> {
  const found = await select(
    deps,
    and(
      status === undefined ? undefined : eq(orders.status, Number(status) as OrderStatus),
      driver === undefined ? undefined : eq(orders.driver, driver),
      cursor === undefined ? undefined : lt(orders.id, cursor),
    ),
    limit + 1,
  )
  const items = found.slice(0, limit)
  return { items, nextCursor: found.length > limit ? (items.at(-1)?.id ?? null) : null }
}

/** Anybody's order. */
export async function readAdminOrder(deps: Pick<BillingDeps, 'db'>, id: string): Promise<AdminOrderView> {
  const [found] = await select(deps, eq(orders.id, id), 1)
  if (!found) throw appError('order.not_found')
  return found
}

/** The picture by which a buyer proves a transfer; who opened it stands in the log. */
export async function openProof(
  { db, store, log }: Pick<BillingDeps, 'db' | 'store' | 'log'>,
  { id, adminId }: { id: string; adminId: string },
): Promise<{ body: ReadableStream<Uint8Array>; contentType: string }> {
  const [order] = await db
    .select({ key: orders.proofKey, contentType: orders.proofType })
    .from(orders)
    .where(eq(orders.id, id))
  if (!order?.key || !order.contentType) throw appError('order.not_found')
  const { body } = await store.stream(order.key)
  log.info({ orderId: id, adminId }, 'a proof of a transfer was opened')
  return { body, contentType: order.contentType }
}

async function select(
  { db }: Pick<BillingDeps, 'db'>,
  which: SQL | undefined,
  limit: number,
): Promise<AdminOrderView[]> {
  const found = await db
    .select({ order: orders, buyer: { id: users.id, name: users.name, email: users.email } })
    .from(orders)
    .innerJoin(users, eq(users.id, orders.userId))
    .where(which)
    .orderBy(desc(orders.id))
    .limit(limit)
  const ids = found.map(({ order }) => order.id)
  const [views, received] = await Promise.all([
    viewOrders(
      { db },
      found.map(({ order }) => order),
    ),
    ids.length === 0
      ? []
      : await db.select().from(payments).where(inArray(payments.orderId, ids)).orderBy(asc(payments.id)),
  ])
  return found.flatMap(({ order, buyer }: { order: Order; buyer: AdminOrderView['buyer'] }, index) => {
    const view = views[index]
    if (!view) return []
    const mine = received.filter(({ orderId }) => orderId === order.id)
    return [
      {
        ...view,
        buyer,
        driver: order.driver,
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
