import { type SQL, sql } from 'drizzle-orm'
import { users } from '#features/account/server/table.ts'
import { orders } from '#features/billing/server/tables/orders.ts'
import { generations } from '#features/generations/server/table.ts'
import { rows } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'
import type { daysInput } from '../schemas.ts'
import type { Funnel } from '../types.ts'
import { beginOfDay, dayAfter, daysOf, zone } from './period.ts'
import { dailyVisits } from './table.ts'

/** Days that are shown one by one. */
const mostDays = 62

type Item = Funnel['items'][number]

/**
 * How many devices came, how many people registered, and how many of these have started a run and
 * have paid since, whenever that was: so a rate is about the same people.
 */
export async function readFunnel(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  span: typeof daysInput.infer,
): Promise<Funnel> {
  const days = daysOf(span, clock())
  const [from, to] = [days.from, dayAfter(days.to, -1)]
  const unit = dayAfter(from, mostDays) > to ? 'day' : 'month'
  const found = await rows<Record<keyof Item, string | number>>(db, stepsByBucket({ from, to, unit }))
  const items = found.map(
    ({ day, ...counts }): Item => ({
      day: String(day),
      ...(Object.fromEntries(Object.entries(counts).map(([name, value]) => [name, Number(value)])) as Omit<
        Item,
        'day'
      >),
    }),
  )
  const sum = (key: keyof Omit<Item, 'day'>) => items.reduce((running, item) => running + item[key], 0)
  const total = {
    ...{ visits: sum('visits'), visitors: sum('visitors') },
    ...{ registered: sum('registered'), started: sum('started'), paid: sum('paid') },
  }
  return { from, to, unit, total, items }
}

function stepsByBucket({ from, to, unit }: Pick<Funnel, 'from' | 'to' | 'unit'>): SQL {
  const bucket = sql`date_trunc(${sql.raw(`'${unit}'`)}, day)`
  const joined = sql`${users.createdAt} at time zone ${sql.raw(`'${zone}'`)}`
  const registered = sql`${users.role} = 'user'
    and ${users.createdAt} >= ${beginOfDay(from).toISOString()}::timestamptz
    and ${users.createdAt} < ${beginOfDay(dayAfter(to, 1)).toISOString()}::timestamptz`
  const hasStarted = sql`exists (select 1 from ${generations} where ${generations.userId} = ${users.id})`
  const hasPaid = sql`exists (select 1 from ${orders}
    where ${orders.userId} = ${users.id} and ${orders.paidAt} is not null and ${orders.totalIdr} > 0)`
  return sql`
    select to_char(${bucket}, 'YYYY-MM-DD') as day, sum(visits) as visits, sum(visitors) as visitors, sum(registered) as registered,
      sum(started) as started, sum(paid) as paid
    from (
      select ${dailyVisits.day}::timestamp as day, ${dailyVisits.visits} as visits, ${dailyVisits.visitors} as visitors,
        0 as registered, 0 as started, 0 as paid
      from ${dailyVisits} where ${dailyVisits.day} between ${from}::date and ${to}::date
      union all
      select ${joined}, 0, 0, 1, (${hasStarted})::int, (${hasPaid})::int from ${users} where ${registered}
    ) steps group by ${bucket} order by ${bucket} desc`
}
