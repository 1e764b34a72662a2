import { sql } from 'drizzle-orm'
import { users } from '#server/auth/table.ts'
import { type Executor, rows } from '#server/db/database.ts'
import { type Days, dayAfter, momentsOf } from '#server/db/days.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { wibDay } from '#shared/time.ts'
import { periods } from '../rules.ts'
import { cacheDistinctUsers } from './count-distinct-users.ts'
import { distinctUserSpans, funnelByDay, generationsByDay, spanOf, sumsByDay, usersByDay } from './figures-by-day.ts'
import type { AdminSources } from './sources.ts'
import { dailyFigures, dailyFunnel, dailyGenerations, dailyPeople } from './table.ts'

/** A generation of last night may end today. */
const unsettledDays = 2
const batch = 31

/** `yyyy-mm-dd`; undefined while no day is final. */
export async function firstOpenDay(executor: Executor): Promise<string | undefined> {
  const [found] = await rows<{ day: string | null }>(
    executor,
    sql`select to_char(max(${dailyFigures.day}), 'YYYY-MM-DD') as day from ${dailyFigures}`,
  )
  return found?.day ? dayAfter(found.day, 1) : undefined
}

/**
 * Aggregates the days that are over, once, so that a dashboard of a year reads hundreds of rows
 * instead of all.
 */
export async function rollUp(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  sources: Pick<AdminSources, 'figures' | 'closeDays'>,
  signal?: AbortSignal,
): Promise<void> {
  const until = dayAfter(wibDay(clock()), 1 - unsettledDays)
  let day = (await firstOpenDay(db)) ?? (await firstDay(db))
  while (day !== undefined && day < until && !signal?.aborted) {
    const next = [dayAfter(day, batch), until].toSorted()[0] as string
    await count(db, sources, { from: day, to: next })
    day = next
  }
  const since = await firstOpenDay(db)
  if (since === undefined || signal?.aborted) return
  for (const period of periods) await cacheDistinctUsers(db, distinctUserSpans(spanOf(period, clock())), since)
}

/** Nothing happens before the first account. */
export async function firstDay(executor: Executor): Promise<string | undefined> {
  const [found] = await rows<{ moment: string | Date | null }>(
    executor,
    sql`select min(${users.createdAt}) as moment from ${users}`,
  )
  return found?.moment ? wibDay(new Date(found.moment)) : undefined
}

async function count(
  db: Deps['db'],
  { figures, closeDays }: Pick<AdminSources, 'figures' | 'closeDays'>,
  days: Days,
): Promise<void> {
  const { from, to } = days
  const moments = momentsOf(days)
  // After an upgrade a day is aggregated again, but generations may have been deleted since.
  const people = sql`select day, user_id from ${dailyPeople} where day >= ${from}::date and day < ${to}::date`
  await transact(db, async (tx) => {
    await tx.execute(sql`
      insert into ${dailyGenerations} (day, tool, outcome, runs) ${generationsByDay(figures, moments)} on conflict do nothing`)
    await tx.execute(
      sql`insert into ${dailyPeople} (day, user_id) ${usersByDay(figures, moments)} on conflict do nothing`,
    )
    for (const close of closeDays) await close(tx, days)
    await tx.execute(sql`
      insert into ${dailyFunnel} (day, joined, registered, started, paid) ${funnelByDay(figures, days, people)}
      on conflict do nothing`)
    await tx.execute(sql`
      insert into ${dailyFigures}
        (day, revenue_idr, orders, new_users, active_users, credits_sold, credits_spent, credits_expired)
      select days.day::date, coalesce(revenue_idr, 0), coalesce(orders, 0), coalesce(new_users, 0),
        coalesce(active_users, 0),
        coalesce(credits_sold, 0), coalesce(credits_spent, 0), coalesce(credits_expired, 0)
      from generate_series(${from}::date, ${to}::date - 1, interval '1 day') days(day)
        left join (${sumsByDay(figures, moments, people)}) sums on sums.day = days.day::date
      on conflict do nothing`)
  })
}
