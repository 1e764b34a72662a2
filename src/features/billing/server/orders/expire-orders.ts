import { and, asc, eq, gt, lte, ne, or, sql } from 'drizzle-orm'
import { push } from '#features/push/server/push.ts'
import { transact } from '#server/db/transact.ts'
import { appError } from '#server/http/app-error.ts'
import { addTime } from '#shared/time.ts'
import { orderStatus } from '../../rules.ts'
import type { BillingDeps } from '../deps.ts'
import { closeMarkedSessions } from '../payments/close-session.ts'
import { followAttempt } from '../payments/follow-attempt.ts'
import { gatewayRate, withinGatewayRate } from '../payments/gateway-health.ts'
import { expiryReminders } from '../tables/checks.ts'
import { isOpen, orders } from '../tables/orders.ts'
import { cancelHeldOrder, holdOrder, newestAttempt, type Order } from './order-record.ts'

const batchSize = 100
/**
 * The clocks of gateway and server differ, and a payment of the last second appears with a delay.
 */
const graceSeconds = 5 * 60
/** Wait for an unreachable gateway before cancelling; later payments are honoured all the same. */
const gatewayTimeoutSeconds = 24 * 3600

interface Options {
  signal?: AbortSignal
  pace?: typeof gatewayRate
  /**
   * True for orders whose gateway must be read first, false for orders without one; both if absent.
   */
  asking?: boolean
}

/**
 * Reads the gateway first, because the buyer may have paid; a reported transfer waits for an admin
 * and stays. Returns the number of cancelled orders.
 */
export async function expireOrders(
  deps: BillingDeps,
  { signal, pace = gatewayRate, asking }: Options = {},
): Promise<number> {
  const until = deps.clock()
  let cancelled = 0
  for (let after: Order | undefined; ; ) {
    const due = await overdueOrders(deps, until, after, asking)
    await withinGatewayRate(due, pace, signal, async (order) => {
      try {
        if (await expireOrder(deps, order)) cancelled += 1
      } catch (error) {
        deps.log.warn({ err: error, orderId: order.id }, 'could not expire an order')
      }
    })
    after = due.at(-1)
    if (due.length < batchSize || signal?.aborted) return cancelled
  }
}

/** By keyset, so that orders which cannot be cancelled yet do not block the others. */
async function overdueOrders(
  { db }: BillingDeps,
  until: Date,
  after: Order | undefined,
  asking: boolean | undefined,
): Promise<Order[]> {
  return await db
    .select()
    .from(orders)
    .where(
      and(
        // Same condition as the partial index.
        isOpen(orders),
        sql`not (${orders.status} = ${orderStatus.awaiting} and ${orders.driver} = 'manual')`,
        lte(orders.expiresAt, until),
        asking === undefined ? undefined : (asking ? ne : eq)(orders.driver, 'manual'),
        after?.expiresAt
          ? or(
              gt(orders.expiresAt, after.expiresAt),
              and(eq(orders.expiresAt, after.expiresAt), gt(orders.id, after.id)),
            )
          : undefined,
      ),
    )
    .orderBy(asc(orders.expiresAt), asc(orders.id))
    .limit(batchSize)
}

async function expireOrder(deps: BillingDeps, order: Order): Promise<boolean> {
  const { db, clock } = deps
  const attempt = await newestAttempt(db, order.id)
  const overdueSeconds = (clock().getTime() - (order.expiresAt as Date).getTime()) / 1000
  if (attempt?.status === 'open' && order.driver !== 'manual') {
    const state = await followAttempt(deps, attempt).catch((error: unknown) => {
      if (overdueSeconds > gatewayTimeoutSeconds) return null
      throw error
    })
    const stillOpen = state?.status === 'active' || state?.status === 'pending'
    if (state?.status === 'completed' && (await isPaid(deps, order))) return false
    if (stillOpen && overdueSeconds < graceSeconds) return false
  }
  const done = await transact(db, async (tx) => {
    const held = await holdOrder(tx, order.id)
    // The buyer has chosen a method with more time meanwhile.
    if (held.expiresAt?.getTime() !== order.expiresAt?.getTime()) return false
    return await cancelHeldOrder(tx, held, { by: 'system', reason: 'expired', now: clock() })
  })
  if (done) await closeMarkedSessions(deps, order.id)
  return done
}

async function isPaid({ db }: BillingDeps, { id }: Order): Promise<boolean> {
  const [order] = await db.select({ status: orders.status }).from(orders).where(eq(orders.id, id))
  return order?.status === orderStatus.paid
}

/** A payment already on its way still counts. */
export async function cancelOrder(deps: BillingDeps, userId: string, id: string): Promise<void> {
  await transact(deps.db, async (tx) => {
    const order = await holdOrder(tx, id, userId)
    if (order.status === orderStatus.cancelled) return
    if (order.status !== orderStatus.unpaid) throw appError('order.not_cancellable')
    await cancelHeldOrder(tx, order, { by: 'buyer', actorId: userId, reason: 'cancelled_by_buyer', now: deps.clock() })
  })
  await closeMarkedSessions(deps, id)
}

/**
 * Minutes before the expiry of orders with a total of at least `leastHours`, long enough to forget.
 */
const minutesLeft = 120
const leastHours = 4

/** Once per order. */
export async function remindOfUnpaid({ db, clock }: BillingDeps): Promise<void> {
  const now = clock()
  const ending = await db
    .select({ id: orders.id, userId: orders.userId })
    .from(orders)
    .where(
      and(
        isOpen(orders),
        eq(orders.status, orderStatus.unpaid),
        gt(orders.expiresAt, now),
        lte(orders.expiresAt, addTime(now, { minutes: minutesLeft })),
        sql`${orders.expiresAt} - ${orders.createdAt} >= make_interval(hours => ${leastHours})`,
        sql`not exists (select from ${expiryReminders} where key = 'order:' || ${orders.id})`,
      ),
    )
  for (const { id, userId } of ending) {
    await transact(db, async (tx) => {
      const row = { key: `order:${id}`, userId, createdAt: now }
      const fresh = await tx.insert(expiryReminders).values(row).onConflictDoNothing().returning()
      if (fresh.length > 0) await push.enqueue(tx, { kind: 'order_ending', userId, subjectId: id, now })
    })
  }
}
