import { and, eq, type SQL, sql, sum } from 'drizzle-orm'
import type { Executor } from '#server/db/database.ts'
import { orderStatus } from '../../rules.ts'
import { orders } from '../tables/orders.ts'
import { gatewayRefunds, type orderRefunds, payments } from '../tables/payments.ts'
import type { Order } from './order-record.ts'

type Received = Pick<typeof payments.$inferSelect, 'amount' | 'currency' | 'problem' | 'settledAt'>
type SentBack = Pick<typeof orderRefunds.$inferSelect, 'amountIdr' | 'credits'>

/**
 * Received money, credits taken back, and refundable money. A mismatched payment counts if an admin
 * accepted it for the order: then its settlement and the order's payment have the same timestamp.
 */
export function summarizePayments(
  { status, totalIdr, paidAt }: Pick<Order, 'status' | 'totalIdr' | 'paidAt'>,
  received: Received[],
  sentBack: SentBack[],
): { received: number; taken: number; left: number } {
  if (status !== orderStatus.paid) return { received: 0, taken: 0, left: 0 }
  const good = received.filter(
    ({ currency, problem, settledAt }) =>
      currency === 'IDR' && (problem === null || settledAt?.getTime() === paidAt?.getTime()),
  )
  // The payment had another currency, or was confirmed before payments were recorded.
  const came = good.length === 0 ? totalIdr : good.reduce((sum, { amount }) => sum + amount, 0)
  const gone = sentBack.reduce((sum, { amountIdr }) => sum + amountIdr, 0)
  const taken = sentBack.reduce((sum, { credits }) => sum + credits, 0)
  return { received: came, taken, left: Math.max(0, came - gone) }
}

/** Rupiah that the gateway is sending; they cannot be sent again. */
export async function reservedIdr(executor: Executor, orderId: string): Promise<number> {
  const [row] = await executor
    .select({ idr: sum(gatewayRefunds.amountIdr) })
    .from(gatewayRefunds)
    .where(and(eq(gatewayRefunds.orderId, orderId), eq(gatewayRefunds.status, 'sending')))
  return Number(row?.idr ?? 0)
}

/** The same condition in SQL: true if a payment counts as money of its order. */
export const countsForOrder: SQL = sql`${payments.currency} = 'IDR'
  and (${payments.problem} is null or coalesce(${payments.settledAt} = ${orders.paidAt}, false))`

/** For a query that reads `orders`. */
export const receivedIdr: SQL = sql`coalesce((select sum(${payments.amount}) from ${payments}
  where ${payments.orderId} = ${orders.id} and ${countsForOrder}), ${orders.totalIdr})`
