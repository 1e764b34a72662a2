import { and, asc, eq, inArray, isNotNull, lte } from 'drizzle-orm'
import { transact } from '#server/db/transact.ts'
import { orderStatus } from '../contract.ts'
import { closeSession } from './close-session.ts'
import type { BillingDeps } from './deps.ts'
import { followAttempt } from './follow-attempt.ts'
import { type Attempt, cancelHeldOrder, holdOrder, newestAttempt, type Order } from './order-record.ts'
import { orders } from './table.ts'

const batch = 100
/** The gateway's clock and ours differ, and a payment of the last second needs a moment to show. */
const graceSeconds = 5 * 60
/** A gateway that cannot be asked gets this long to come back; what is paid later is honoured all the same. */
const patienceSeconds = 24 * 3600

/**
 * Cancels orders whose time is over. The gateway is asked first, because the buyer may have paid; an order that waits for an admin is left alone.
 * Answers with how many it cancelled.
 */
export async function expireOrders(deps: BillingDeps): Promise<number> {
  const { db, clock, log } = deps
  const due = await db
    .select()
    .from(orders)
    .where(
      and(
        inArray(orders.status, [orderStatus.unpaid, orderStatus.awaiting]),
        isNotNull(orders.expiresAt),
        lte(orders.expiresAt, clock()),
      ),
    )
    .orderBy(asc(orders.expiresAt))
    .limit(batch)
  let cancelled = 0
  for (const order of due) {
    try {
      if (await expireOrder(deps, order)) cancelled += 1
    } catch (error) {
      log.warn({ err: error, orderId: order.id }, 'an order could not be brought to its end')
    }
  }
  return cancelled
}

async function expireOrder(deps: BillingDeps, order: Order): Promise<boolean> {
  const { db, clock } = deps
  if (order.status === orderStatus.awaiting && order.driver === 'manual') return false
  const attempt = await newestAttempt(db, order.id)
  const late = (clock().getTime() - (order.expiresAt as Date).getTime()) / 1000
  if (attempt?.status === 'open' && order.driver !== 'manual') {
    const state = await followAttempt(deps, attempt).catch((error: unknown) => {
      if (late > patienceSeconds) return null
      throw error
    })
    const stillOpen = state?.status === 'active' || state?.status === 'pending'
    if (state?.status === 'completed' && (await isPaid(deps, order))) return false
    if (stillOpen && late < graceSeconds) return false
  }
  const done = await transact(db, async (tx) => {
    const held = await holdOrder(tx, order.id)
    // Paid again, by another method, while we looked.
    if (!held.expiresAt || held.expiresAt > clock()) return false
    return await cancelHeldOrder(tx, held, { by: 'system', reason: 'expired', now: clock() })
  })
  if (done && attempt) await closeSession(deps, attempt satisfies Attempt)
  return done
}

async function isPaid({ db }: BillingDeps, { id }: Order): Promise<boolean> {
  const [order] = await db.select({ status: orders.status }).from(orders).where(eq(orders.id, id))
  return order?.status === orderStatus.paid
}
