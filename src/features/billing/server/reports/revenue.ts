import { type SQL, sql } from 'drizzle-orm'
import { rows } from '#server/db/database.ts'
import type { revenueInput } from '../../admin/schemas.ts'
import type { Revenue, RevenueRow } from '../../admin/types.ts'
import type { BillingDeps } from '../deps.ts'
import { isOrdersMoney } from '../orders/money-of.ts'
import { orders } from '../tables/orders.ts'
import { orderRefunds, payments } from '../tables/payments.ts'
import { readLiability } from './liability.ts'

type Found = Record<Exclude<keyof RevenueRow, 'by' | 'name' | 'netIdr'>, string | number> &
  Pick<RevenueRow, 'by' | 'name'>

/**
 * Money of the orders that were paid in a span of time, less what went back in it, by how it came,
 * what it bought and with which voucher; and what is still owed for credits that nobody has spent.
 */
export async function readRevenue(
  deps: Pick<BillingDeps, 'db' | 'clock'>,
  span: typeof revenueInput.infer,
): Promise<Revenue> {
  const { db } = deps
  const [found, [outside], liability] = await Promise.all([
    rows<Found>(db, revenueBy(span)),
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
  ...{ by: 'total', name: null, orders: 0, chargedIdr: 0, receivedIdr: 0, refunds: 0, refundedIdr: 0, netIdr: 0 },
}

function view({ by, name, orders: count, chargedIdr, receivedIdr: came, refunds, refundedIdr }: Found): RevenueRow {
  return {
    ...{ by, name, orders: Number(count), chargedIdr: Number(chargedIdr), receivedIdr: Number(came) },
    ...{ refunds: Number(refunds), refundedIdr: Number(refundedIdr), netIdr: Number(came) - Number(refundedIdr) },
  }
}

/** Whether a moment lies in a span. */
export function during(moment: { getSQL(): SQL }, { from, to }: typeof revenueInput.infer): SQL {
  const since = from ? sql`and ${moment} >= ${from.toISOString()}::timestamptz` : sql``
  return sql`${moment} is not null ${since} ${to ? sql`and ${moment} <= ${to.toISOString()}::timestamptz` : sql``}`
}

function revenueBy(span: typeof revenueInput.infer): SQL {
  const named = sql`${orders.method} as method, ${orders.packageName} as package, ${orders.voucherCode} as voucher`
  // Joined as a whole, for a year's orders would be looked up one by one.
  return sql`
    with came as (
      select ${orders.id} as id, sum(${payments.amount}) as idr
      from ${payments} join ${orders} on ${orders.id} = ${payments.orderId}
      where ${isOrdersMoney} and ${during(orders.paidAt, span)} group by 1
    ), money as (
      select ${named}, count(*) as orders, sum(${orders.totalIdr}) as charged,
        sum(coalesce(came.idr, ${orders.totalIdr})) as received, 0 as refunds, 0 as back
      from ${orders} left join came on came.id = ${orders.id} where ${during(orders.paidAt, span)} group by 1, 2, 3
      union all
      select ${named}, 0, 0, 0, count(*), sum(${orderRefunds.amountIdr})
      from ${orderRefunds} join ${orders} on ${orders.id} = ${orderRefunds.orderId}
      where ${during(orderRefunds.createdAt, span)} group by 1, 2, 3
    )
    select case grouping(method, package, voucher) when 3 then 'method' when 5 then 'package' when 6 then 'voucher'
        else 'total' end as by,
      coalesce(method, package, voucher) as name, sum(orders) as orders, sum(charged) as "chargedIdr",
      sum(received) as "receivedIdr", sum(refunds) as refunds, sum(back) as "refundedIdr"
    from money group by grouping sets ((method), (package), (voucher), ())
    order by 1, 5 desc, 2`
}

/** Rupiah that arrived in the span and are no order's: paid twice, too little, for nobody. */
function moneyOutside(span: typeof revenueInput.infer): SQL {
  return sql`select sum(${payments.amount}) as idr from ${payments} join ${orders} on ${orders.id} = ${payments.orderId}
    where ${payments.problem} is not null and ${payments.currency} = 'IDR' and not (${isOrdersMoney})
      and ${during(payments.receivedAt, span)}`
}
