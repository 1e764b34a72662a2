import { and, asc, eq, gt, lte, ne, or, sql } from 'drizzle-orm'
import { transact } from '#server/db/transact.ts'
import { orderStatus } from '../../rules.ts'
import type { BillingDeps } from '../deps.ts'
import { closeMarkedSessions } from '../payments/close-session.ts'
import { followAttempt } from '../payments/follow-attempt.ts'
import { gatewayRate, withinGatewayRate } from '../payments/gateway-rate.ts'
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
