import { and, asc, eq, gt, inArray, max } from 'drizzle-orm'
import { type Change, type EventSource, maxResumed, positionOverlap } from '#features/events/server/events.ts'
import type { Deps } from '#server/deps.ts'
import { orderStatus } from '../rules.ts'
import type { OrderView } from '../schemas.ts'
import { viewOrders } from './orders/view-order.ts'
import { orderHistory, orders } from './tables/orders.ts'

/** The position is the newest entry of an order's history. */
export const orderEvents: EventSource<OrderView> = {
  concerns: (notification) => (notification.kind === 'order' ? notification.orderId : undefined),

  read: (deps, { userId }, ids) => changes(deps, userId, ids),

  async start(deps, { userId }, after) {
    const mine = eq(orders.userId, userId)
    const ids =
      after === undefined
        ? await deps.db
            .select({ id: orders.id })
            .from(orders)
            .where(and(mine, inArray(orders.status, [orderStatus.awaiting, orderStatus.unpaid])))
            .limit(maxResumed)
        : await deps.db
            .selectDistinct({ id: orders.id })
            .from(orders)
            .innerJoin(orderHistory, eq(orderHistory.orderId, orders.id))
            .where(and(mine, gt(orderHistory.id, after - positionOverlap)))
            .limit(maxResumed)
    const missed = await changes(
      deps,
      userId,
      ids.map(({ id }) => id),
    )
    const [newest] = await deps.db
      .select({ id: max(orderHistory.id) })
      .from(orderHistory)
      .innerJoin(orders, eq(orders.id, orderHistory.orderId))
      .where(mine)
    return { changes: missed, position: newest?.id ?? 0 }
  },
}

async function changes({ db }: Pick<Deps, 'db'>, userId: string, ids: string[]): Promise<Change<OrderView>[]> {
  if (ids.length === 0) return []
  const position = max(orderHistory.id)
  const newest = await db
    .select({ orderId: orderHistory.orderId, position })
    .from(orderHistory)
    .innerJoin(orders, eq(orders.id, orderHistory.orderId))
    .where(and(inArray(orders.id, ids), eq(orders.userId, userId)))
    .groupBy(orderHistory.orderId)
    .orderBy(asc(position))
  const found = await db
    .select()
    .from(orders)
    .where(and(inArray(orders.id, ids), eq(orders.userId, userId)))
  const views = await viewOrders({ db }, found)
  return newest.flatMap(({ orderId, position }) => {
    const data = views.find(({ id }) => id === orderId)
    return data ? [{ data, position: position ?? 0 }] : []
  })
}
