import { gt, type SQL, sql } from 'drizzle-orm'
import { creditAccounts, creditLots } from '#features/credits/server/table.ts'
import { rows } from '#server/db/database.ts'
import { isDuring, type Moments, splitMoments } from '#server/db/days.ts'
import { addTime, dayMs } from '#shared/time.ts'
import type { Revenue, RevenueRow, revenueInput } from '../../admin/report-schemas.ts'
import { orderStatus } from '../../rules.ts'
import type { BillingDeps } from '../deps.ts'
import { countsForOrder, receivedIdr } from '../orders/payment-summary.ts'
import { dailyRevenue } from '../tables/checks.ts'
import { orders } from '../tables/orders.ts'
import { orderRefunds, payments } from '../tables/payments.ts'
import { firstOpenRevenueDay, revenueByDay } from './revenue-by-day.ts'

type Found = Record<Exclude<keyof RevenueRow, 'by' | 'name' | 'netIdr'>, string | number> &
  Pick<RevenueRow, 'by' | 'name'>

/** Less the refunds sent in the period; with the liability for unspent credits. */
export async function readRevenue(
  deps: Pick<BillingDeps, 'db' | 'clock'>,
  asked: typeof revenueInput.infer,
): Promise<Revenue> {
  const { db } = deps
  // Includes the last millisecond of the period.
  const span: Moments = { from: asked.from, to: asked.to && new Date(asked.to.getTime() + 1) }
  const since = await firstOpenRevenueDay(db)
  const [found, [outside], liability] = await Promise.all([
    rows<Found>(db, revenueBy(span, since)),
    rows<{ idr: string | number }>(db, moneyOutside(span)),
    readLiability(deps),
  ])
  const all = found.map(view)
  return {
    rows: all.filter(({ by }) => by !== 'total'),
    total: all.find(({ by }) => by === 'total') ?? nothing,
    outsideIdr: Number(outside?.idr ?? 0),
    liability,
  }
}

const nothing: RevenueRow = {
  by: 'total',
  name: null,
  orders: 0,
  chargedIdr: 0,
  receivedIdr: 0,
  refunds: 0,
  refundedIdr: 0,
  netIdr: 0,
}

function view({ by, name, orders: count, chargedIdr, receivedIdr: came, refunds, refundedIdr }: Found): RevenueRow {
  return {
    by,
    name,
    orders: Number(count),
    chargedIdr: Number(chargedIdr),
    receivedIdr: Number(came),
    refunds: Number(refunds),
    refundedIdr: Number(refundedIdr),
    netIdr: Number(came) - Number(refundedIdr),
  }
}

/** Closed days as stored, and the rest of the period as of now. */
function revenueBy(span: Moments, since: string | undefined): SQL {
  const { closed, open } = splitMoments(span, since)
  const columns = sql.raw('method, package, voucher, orders, charged_idr, received_idr, refunds, refunded_idr')
  const counted =
    closed &&
    sql`select ${columns} from ${dailyRevenue}
      where ${closed.from ? sql`day >= ${closed.from}::date and` : sql``} day < ${closed.to}::date`
  const live = open.map((moments) => sql`select ${columns} from (${revenueByDay(moments)}) live`)
  return sql`
    with money as (
      select nullif(method, '') as method, nullif(package, '') as package, nullif(voucher, '') as voucher,
        orders, charged_idr, received_idr, refunds, refunded_idr
      from (${sql.join(counted ? [counted, ...live] : live, sql` union all `)}) parts
      where orders > 0 or refunds > 0
    )
    select case grouping(method, package, voucher) when 3 then 'method' when 5 then 'package' when 6 then 'voucher'
        else 'total' end as by,
      coalesce(method, package, voucher) as name, sum(orders) as orders, sum(charged_idr) as "chargedIdr",
      sum(received_idr) as "receivedIdr", sum(refunds) as refunds, sum(refunded_idr) as "refundedIdr"
    from money group by grouping sets ((method), (package), (voucher), ())
    order by 1, 5 desc, 2`
}

/** Rupiah that belong to no order: paid twice, of a wrong amount, or for a deleted account. */
function moneyOutside(span: Moments): SQL {
  return sql`select sum(${payments.amount}) as idr from ${payments} join ${orders} on ${orders.id} = ${payments.orderId}
    where ${payments.problem} is not null and ${payments.currency} = 'IDR' and not (${countsForOrder})
      and ${isDuring(payments.receivedAt, span)}`
}

type Liability = Revenue['liability']
type Tools = Pick<BillingDeps, 'db' | 'clock'>

/**
 * For each order, the money not refunded times the share of its credits that is unspent, or of its
 * unlimited days that is left; each rounded down to whole rupiah. Free credits are counted
 * separately.
 */
async function readLiability(deps: Tools): Promise<Liability> {
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
    const end = addTime(from, { days })
    until.set(userId, end)
    const left = Math.min(days * dayMs, Math.max(0, end.getTime() - now.getTime()))
    unlimitedIdr += Math.floor((Math.max(0, Number(received) - Number(amount)) * left) / (days * dayMs))
  }
  return { unlimitedPeople: people, unlimitedIdr }
}
