import { type SQL, sql } from 'drizzle-orm'
import { rows } from '#server/db/database.ts'
import { type Days, dayAfter, daysOf, localDay, momentsOf } from '#server/db/days.ts'
import type { Deps } from '#server/deps.ts'
import type { daysInput } from '#shared/moment.ts'
import type { Funnel } from '../schemas.ts'
import { usersByDay } from './figures-by-day.ts'
import { funnelByDay } from './funnel-by-day.ts'
import { firstDay, firstOpenDay } from './roll-up.ts'
import type { AdminSources, FigureSources } from './sources.ts'
import { dailyFunnel, dailyVisits } from './table.ts'

/** Longer periods have a bucket for each month. */
const maxDailyBuckets = 62

type Item = Funnel['items'][number]

/**
 * Visiting devices, registered users, and how many of these have started a generation and have paid
 * at any time since, so that a rate is about the same users. Deleting an account does not change
 * final days.
 */
export async function readFunnel(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { figures }: Pick<AdminSources, 'figures'>,
  span: typeof daysInput.infer,
): Promise<Funnel> {
  const now = clock()
  const days = daysOf(span, now)
  const since = (await firstOpenDay(db)) ?? (await firstDay(db)) ?? localDay(now)
  const open = { from: since, to: dayAfter(localDay(now), 1) }
  const [from, to] = [days.from, dayAfter(days.to, -1)]
  const unit = dayAfter(from, maxDailyBuckets) > to ? 'day' : 'month'
  const found = await rows<Record<keyof Item, string | number>>(db, stepsByBucket(figures, { from, to, unit }, open))
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
    visits: sum('visits'),
    visitors: sum('visitors'),
    registered: sum('registered'),
    started: sum('started'),
    paid: sum('paid'),
  }
  return { from, to, unit, total, items }
}

/** Stored for the final days, computed for the days since. */
function stepsByBucket(
  sources: FigureSources,
  { from, to, unit }: Pick<Funnel, 'from' | 'to' | 'unit'>,
  open: Days,
): SQL {
  const bucket = sql`date_trunc(${sql.raw(`'${unit}'`)}, day)`
  const steps = sql.raw('joined::timestamp, 0, 0, registered, started, paid')
  const asked = sql`joined between ${from}::date and ${to}::date`
  return sql`
    select to_char(${bucket}, 'YYYY-MM-DD') as day, sum(visits) as visits, sum(visitors) as visitors, sum(registered) as registered,
      sum(started) as started, sum(paid) as paid
    from (
      select ${dailyVisits.day}::timestamp as day, ${dailyVisits.visits} as visits, ${dailyVisits.visitors} as visitors,
        0 as registered, 0 as started, 0 as paid
      from ${dailyVisits} where ${dailyVisits.day} between ${from}::date and ${to}::date
      union all select ${steps} from ${dailyFunnel} where ${asked} and day < ${open.from}::date
      union all select ${steps} from (${funnelByDay(sources, open, usersByDay(sources, momentsOf(open)))}) live where ${asked}
    ) steps group by ${bucket} order by ${bucket} desc`
}
