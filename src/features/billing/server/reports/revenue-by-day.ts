import { eq, type SQL, sql } from 'drizzle-orm'
import { type Executor, rows, type Transaction } from '#server/db/database.ts'
import { type Days, dayAfter, dayOf, isDuring, type Moments, momentsOf } from '#server/db/days.ts'
import { advisoryLock } from '#server/db/transact.ts'
import { wibDay } from '#shared/time.ts'
import { countsForOrder } from '../orders/payment-summary.ts'
import { dailyRevenue } from '../tables/checks.ts'
import { orders } from '../tables/orders.ts'
import { orderRefunds, payments } from '../tables/payments.ts'

/** `yyyy-mm-dd`; undefined while no day is closed. */
export async function firstOpenRevenueDay(executor: Executor): Promise<string | undefined> {
  const [found] = await rows<{ day: string | null }>(
    executor,
    sql`select to_char(max(${dailyRevenue.day}), 'YYYY-MM-DD') as day from ${dailyRevenue}`,
  )
  return found?.day ? dayAfter(found.day, 1) : undefined
}

/** Payments of the orders paid, and refunds sent, in a period: columns of `daily_revenue`. */
export function revenueByDay(moments: Moments): SQL {
  const named = sql`coalesce(${orders.method}, '') as method, coalesce(${orders.packageName}, '') as package,
    coalesce(${orders.voucherCode}, '') as voucher`
  // Joined as a whole, since otherwise a year's orders would be looked up one by one.
  return sql`
    select day, method, package, voucher, sum(orders)::int as orders, sum(charged)::bigint as charged_idr,
      sum(received)::bigint as received_idr, sum(refunds)::int as refunds, sum(back)::bigint as refunded_idr
    from (
      select ${dayOf(orders.paidAt)} as day, ${named}, count(*) as orders, sum(${orders.totalIdr}) as charged,
        sum(coalesce(came.idr, ${orders.totalIdr})) as received, 0 as refunds, 0 as back
      from ${orders} left join (
        select ${orders.id} as id, sum(${payments.amount}) as idr
        from ${payments} join ${orders} on ${orders.id} = ${payments.orderId}
        where ${countsForOrder} and ${isDuring(orders.paidAt, moments)} group by 1
      ) came on came.id = ${orders.id}
      where ${isDuring(orders.paidAt, moments)} group by 1, 2, 3, 4
      union all
      select ${dayOf(orderRefunds.createdAt)}, ${named}, 0, 0, 0, count(*), sum(${orderRefunds.amountIdr})
      from ${orderRefunds} join ${orders} on ${orders.id} = ${orderRefunds.orderId}
      where ${isDuring(orderRefunds.createdAt, moments)} group by 1, 2, 3, 4
    ) parts group by 1, 2, 3, 4`
}

// Otherwise a payment that commits during the count of its day would be missing in both.
const lockDays = (tx: Transaction) => advisoryLock(tx, 'daily-revenue')

/** Closed days stay unchanged. */
export async function closeRevenueDays(tx: Transaction, days: Days): Promise<void> {
  await lockDays(tx)
  const open = await firstOpenRevenueDay(tx)
  const from = open !== undefined && open > days.from ? open : days.from
  if (from < days.to) await write(tx, { from, to: days.to })
}

/** Call after a change of an order's money; does nothing unless that day is closed. */
export async function recountRevenue(tx: Transaction, paidAt: Date): Promise<void> {
  await lockDays(tx)
  const day = wibDay(paidAt)
  const closed = await tx.delete(dailyRevenue).where(eq(dailyRevenue.day, day)).returning({ day: dailyRevenue.day })
  if (closed.length > 0) await write(tx, { from: day, to: dayAfter(day, 1) })
}

async function write(tx: Transaction, days: Days): Promise<void> {
  await tx.execute(sql`
    insert into ${dailyRevenue}
      (day, method, package, voucher, orders, charged_idr, received_idr, refunds, refunded_idr)
    select day, method, package, voucher, sum(orders), sum(charged_idr), sum(received_idr), sum(refunds), sum(refunded_idr)
    from (
      ${revenueByDay(momentsOf(days))}
      union all
      select day::date, '', '', '', 0, 0, 0, 0, 0
      from generate_series(${days.from}::date, ${days.to}::date - 1, interval '1 day') days(day)
    ) counted group by 1, 2, 3, 4`)
}
