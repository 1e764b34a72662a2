import { gt, sql } from 'drizzle-orm'
import { credits } from '#features/credits/server/credits.ts'
import { creditAccounts, creditLots } from '#features/credits/server/table.ts'
import { rows } from '#server/db/database.ts'
import type { Revenue } from '../../admin/report-schemas.ts'
import { orderStatus } from '../../rules.ts'
import type { BillingDeps } from '../deps.ts'
import { receivedIdr } from '../orders/payment-summary.ts'
import { orders } from '../tables/orders.ts'
import { orderRefunds } from '../tables/payments.ts'

type Liability = Revenue['liability']
type Tools = Pick<BillingDeps, 'db' | 'clock'>

const day = 86_400_000

/**
 * For each order, the money not refunded times the share of its credits that is unspent, or of its
 * unlimited days that is left; each rounded down to whole rupiah. Free credits are counted
 * separately.
 */
export async function readLiability(deps: Tools): Promise<Liability> {
  const [unspent, unlimited] = await Promise.all([unspentCredits(deps), unlimitedDays(deps)])
  return { ...unspent, ...unlimited }
}

/**
 * The refund of a failed generation is in the lot that was charged, or in a lot that extends it.
 */
async function unspentCredits({
  db,
  clock,
}: Tools): Promise<Pick<Liability, 'paidCredits' | 'freeCredits' | 'creditsIdr'>> {
  const [found] = await rows<Record<'paid' | 'free' | 'idr', string | number | null>>(
    db,
    sql`
    with lots as (
      select coalesce(${creditLots.lengthens}, ${creditLots.id}) as id, sum(${creditLots.remaining}) as remaining
      from ${creditLots} where ${creditLots.remaining} > 0 and ${creditLots.expiresAt} > ${clock().toISOString()}::timestamptz
      group by 1
    ), bought as (
      select came.order_id, sum(lots.remaining) as remaining
      from lots join ${creditLots} came on came.id = lots.id where came.order_id is not null group by 1
    ), owed as (
      select bought.remaining, ${receivedIdr} as received, coalesce(${orders.packageCredits}, 0) + ${orders.voucherCredits} as given,
        back.amount, back.credits
      from bought join ${orders} on ${orders.id} = bought.order_id,
        lateral (select coalesce(sum(amount_idr), 0) as amount, coalesce(sum(credits), 0) as credits
          from ${orderRefunds} where order_id = ${orders.id}) back
    )
    select (select sum(remaining) from lots) - coalesce(sum(remaining), 0) as free, sum(remaining) as paid,
      sum(floor(greatest(received - amount, 0) * remaining / greatest(given - credits, remaining))) as idr
    from owed`,
  )
  const [paidCredits, freeCredits, creditsIdr] = [found?.paid, found?.free, found?.idr].map((sum) => Number(sum ?? 0))
  return { paidCredits: paidCredits ?? 0, freeCredits: freeCredits ?? 0, creditsIdr: creditsIdr ?? 0 }
}

type UnlimitedPurchase = Record<'received' | 'amount', string | number> & {
  userId: string
  paidAt: string | Date
  days: number
  ended: boolean
}

/** Unlimited packages follow one another in the order of payment. */
async function unlimitedDays({ db, clock }: Tools): Promise<Pick<Liability, 'unlimitedPeople' | 'unlimitedIdr'>> {
  const now = clock()
  const [bought, people] = await Promise.all([
    rows<UnlimitedPurchase>(
      db,
      sql`select ${orders.userId} as "userId", ${orders.paidAt} as "paidAt", ${orders.packageDays} as days,
        ${receivedIdr} as received, back.amount, back.ended
      from ${creditAccounts} join ${orders} on ${orders.userId} = ${creditAccounts.userId}
          and ${orders.status} = ${orderStatus.paid} and ${orders.packageDays} is not null and ${orders.packageCredits} is null,
        lateral (select coalesce(sum(amount_idr), 0) as amount, coalesce(bool_or(ends_unlimited), false) as ended
          from ${orderRefunds} where order_id = ${orders.id}) back
      where ${creditAccounts.unlimitedUntil} > ${now.toISOString()}::timestamptz
      order by ${orders.paidAt}, ${orders.receipt}`,
    ),
    db.$count(creditAccounts, gt(creditAccounts.unlimitedUntil, now)),
  ])
  const until = new Map<string, Date>()
  let unlimitedIdr = 0
  for (const { userId, days, received, amount, ended, ...order } of bought) {
    if (ended) continue
    const paidAt = new Date(order.paidAt)
    const before = until.get(userId)
    const from = before && before > paidAt ? before : paidAt
    const end = credits.daysAfter(from, days)
    until.set(userId, end)
    const left = Math.min(days * day, Math.max(0, end.getTime() - now.getTime()))
    unlimitedIdr += Math.floor((Math.max(0, Number(received) - Number(amount)) * left) / (days * day))
  }
  return { unlimitedPeople: people, unlimitedIdr }
}
