import { type SQL, sql } from 'drizzle-orm'
import { rows } from '#server/db/database.ts'
import { isDuring, type Moments, splitMoments } from '#server/db/days.ts'
import type { Revenue, RevenueRow, revenueInput } from '../../admin/report-schemas.ts'
import type { BillingDeps } from '../deps.ts'
import { countsForOrder } from '../orders/payment-summary.ts'
import { orders } from '../tables/orders.ts'
import { payments } from '../tables/payments.ts'
import { dailyRevenue } from '../tables/reports.ts'
import { readLiability } from './liability.ts'
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
