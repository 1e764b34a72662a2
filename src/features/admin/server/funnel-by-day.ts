import { type SQL, sql } from 'drizzle-orm'
import { users } from '#server/auth/table.ts'
import { beginOfDay, type Days, dayOf, isDuring, momentsOf } from '#server/db/days.ts'
import type { FigureSources } from './sources.ts'
import { dailyPeople } from './table.ts'

/**
 * First steps of users by the day of registration, with the columns of `daily_funnel`. `people` are
 * the users who started a generation on these days (`day`, `user_id`); those of earlier days must
 * be in `daily_people`. A step counts on the day on which a user first took it, so a day that is
 * over stays as it is.
 */
export function funnelByDay({ orders }: FigureSources, days: Days, people: SQL): SQL {
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
        select user_id, min(day) as day from (${orders(moments)}) paid where total_idr > 0 group by 1
      ) steps join ${users} on ${users.id} = steps.user_id
      where ${isCustomer} and not exists (select 1 from (${orders({ to: beginOfDay(days.from) })}) known
        where known.user_id = steps.user_id and known.total_idr > 0)
    ) steps group by 1, 2`
}
