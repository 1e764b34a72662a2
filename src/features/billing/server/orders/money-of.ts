import { orderStatus } from '../../rules.ts'
import type { orderRefunds, payments } from '../tables/payments.ts'
import type { Order } from './order-record.ts'

type Received = Pick<typeof payments.$inferSelect, 'amount' | 'currency' | 'problem'>
type SentBack = Pick<typeof orderRefunds.$inferSelect, 'amountIdr' | 'credits'>

/** What came in for an order, the credits taken back, and what money can still go back. */
export function moneyOf(
  { status, totalIdr }: Pick<Order, 'status' | 'totalIdr'>,
  received: Received[],
  sentBack: SentBack[],
): { received: number; taken: number; left: number } {
  if (status !== orderStatus.paid) return { received: 0, taken: 0, left: 0 }
  const good = received.filter(({ currency, problem }) => currency === 'IDR' && problem === null)
  // Nothing right is noted where an admin let a wrong amount pass for the order's.
  const came = good.length === 0 ? totalIdr : good.reduce((sum, { amount }) => sum + amount, 0)
  const gone = sentBack.reduce((sum, { amountIdr }) => sum + amountIdr, 0)
  const taken = sentBack.reduce((sum, { credits }) => sum + credits, 0)
  return { received: came, taken, left: Math.max(0, came - gone) }
}
