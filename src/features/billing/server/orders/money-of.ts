import { type SQL, sql } from 'drizzle-orm'
import { orderStatus } from '../../rules.ts'
import { orders } from '../tables/orders.ts'
import { type orderRefunds, payments } from '../tables/payments.ts'
import type { Order } from './order-record.ts'

type Received = Pick<typeof payments.$inferSelect, 'amount' | 'currency' | 'problem' | 'settledAt'>
type SentBack = Pick<typeof orderRefunds.$inferSelect, 'amountIdr' | 'credits'>

/**
 * What came in for an order, the credits taken back, and what money can still go back. Money that
 * came wrong counts where an admin let it pass for the order's: they settled both at one moment.
 */
export function moneyOf(
  { status, totalIdr, paidAt }: Pick<Order, 'status' | 'totalIdr' | 'paidAt'>,
  received: Received[],
  sentBack: SentBack[],
): { received: number; taken: number; left: number } {
  if (status !== orderStatus.paid) return { received: 0, taken: 0, left: 0 }
  const good = received.filter(
    ({ currency, problem, settledAt }) =>
      currency === 'IDR' && (problem === null || settledAt?.getTime() === paidAt?.getTime()),
  )
  // Where another currency came, or it was seen before money was noted.
  const came = good.length === 0 ? totalIdr : good.reduce((sum, { amount }) => sum + amount, 0)
  const gone = sentBack.reduce((sum, { amountIdr }) => sum + amountIdr, 0)
  const taken = sentBack.reduce((sum, { credits }) => sum + credits, 0)
  return { received: came, taken, left: Math.max(0, came - gone) }
}

/** The same of all orders at once: whether a payment is money of the order that it came for. */
export const isOrdersMoney: SQL = sql`${payments.currency} = 'IDR'
  and (${payments.problem} is null or coalesce(${payments.settledAt} = ${orders.paidAt}, false))`

/** What came in for a paid order, for a query that reads `orders`. */
export const receivedIdr: SQL = sql`coalesce((select sum(${payments.amount}) from ${payments}
  where ${payments.orderId} = ${orders.id} and ${isOrdersMoney}), ${orders.totalIdr})`
