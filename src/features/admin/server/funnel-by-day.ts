import { type SQL, sql } from 'drizzle-orm'
import { orders } from '#features/billing/server/tables/orders.ts'
import { users } from '#server/auth/table.ts'
import { beginOfDay, type Days, dayOf, isDuring, momentsOf } from '#server/db/days.ts'
import { dailyPeople } from './table.ts'

/**
 * First steps of users by the day of registration, with the columns of `daily_funnel`. `people` are
 * the users who started a generation on these days (`day`, `user_id`); those of earlier days must
 * be in `daily_people`. A step counts on the day on which a user first took it, so a day that is
 * over stays as it is.
 */
export function funnelByDay(days: Days, people: SQL): SQL {
  const moments = momentsOf(days)
  const joined = dayOf(users.createdAt)
  const isCustomer = sql`${users.role} = 'user'`
  return sql`
    select day, joined, sum(registered)::int as registered, sum(started)::int as started, sum(paid)::int as paid
    from (
      select ${joined} as day, ${joined} as joined, 1 as registered, 0 as started, 0 as paid
      from ${users} where ${isCustomer} and ${isDuring(users.createdAt, moments)}
      union all
      select steps.day, ${joined}, 0, 1, 0
      from (select user_id, min(day) as day from (${people}) people group by 1) steps
        join ${users} on ${users.id} = steps.user_id
      where ${isCustomer} and not exists (select 1 from ${dailyPeople} known
        where known.user_id = steps.user_id and known.day < ${days.from}::date)
      union all
      select steps.day, ${joined}, 0, 0, 1
      from (
        select ${orders.userId} as user_id, min(${dayOf(orders.paidAt)}) as day
        from ${orders} where ${orders.totalIdr} > 0 and ${isDuring(orders.paidAt, moments)} group by 1
      ) steps join ${users} on ${users.id} = steps.user_id
      where ${isCustomer} and not exists (select 1 from ${orders} known
        where known.user_id = steps.user_id and known.total_idr > 0
          and known.paid_at < ${beginOfDay(days.from).toISOString()}::timestamptz)
    ) steps group by 1, 2`
}
