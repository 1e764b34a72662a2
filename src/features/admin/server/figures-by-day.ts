import { type SQL, sql } from 'drizzle-orm'
import { users } from '#server/auth/table.ts'
import { beginOfDay, type Days, dayOf, isDuring, type Moments, momentsOf } from '#server/db/days.ts'
import { addTime, wibDay, wibFields, wibOffsetMs } from '#shared/time.ts'
import { type Period, periodDays } from '../rules.ts'
import type { FigureSources } from './sources.ts'
import { dailyPeople } from './table.ts'

export interface Span {
  /** `before` starts the previous span of the same length; `to` is excluded. */
  before: Date
  from: Date
  to: Date
  unit: 'day' | 'month'
}

/** The days, or the twelve months, that end today. */
export function spanOf(period: Period, now: Date): Span {
  const local = wibFields(now)
  const [year, month, date] = [local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate()]
  const at = (...parts: [number, number, number]) => new Date(Date.UTC(...parts) - wibOffsetMs)
  const to = at(year, month, date + 1)
  if (period === '12m') return { before: at(year, month - 23, 1), from: at(year, month - 11, 1), to, unit: 'month' }
  const days = periodDays[period]
  return { before: addTime(to, { days: -2 * days }), from: addTime(to, { days: -days }), to, unit: 'day' }
}

/** `yyyy-mm-dd`. */
export function bucketsOf({ from, to, unit }: Span): string[] {
  const days: string[] = []
  for (let at = wibFields(from); at < wibFields(to); ) {
    days.push(at.toISOString().slice(0, 10))
    at = unit === 'day' ? addTime(at, { days: 1 }) : new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1))
  }
  return days
}

/** The previous span, the span itself, and its buckets if they are longer than a day. */
export function distinctUserSpans(span: Span): Days[] {
  const [before, from, to] = [span.before, span.from, span.to].map(wibDay) as [string, string, string]
  const buckets = span.unit === 'day' ? [] : bucketsOf(span)
  const months = buckets.map((name, index) => ({ from: name, to: buckets[index + 1] ?? to }))
  return [{ from: before, to: from }, { from, to }, ...months]
}

/** A row a day with the columns of `daily_figures`. */
export function sumsByDay(sources: FigureSources, moments: Moments, people = usersByDay(sources, moments)): SQL {
  const of = (...kinds: string[]) =>
    sql`filter (where kind in (${sql.raw(kinds.map((kind) => `'${kind}'`).join(', '))}))`
  return sql`
    select day, sum(revenue_idr)::bigint as revenue_idr, sum(orders)::int as orders, sum(new_users)::int as new_users,
      sum(active_users)::int as active_users, sum(credits_sold)::bigint as credits_sold, sum(credits_spent)::bigint as credits_spent,
      sum(credits_expired)::bigint as credits_expired
    from (
      select day, sum(total_idr) as revenue_idr, count(*) as orders, 0 as new_users,
        0 as active_users, 0 as credits_sold, 0 as credits_spent, 0 as credits_expired
      from (${sources.orders(moments)}) paid group by 1
      union all
      select ${dayOf(users.createdAt)}, 0, 0, count(*), 0, 0, 0, 0
      from ${users} where ${isDuring(users.createdAt, moments)} group by 1
      union all
      select day, 0, 0, 0, count(*), 0, 0, 0 from (${people}) people group by 1
      union all
      select day, 0, 0, 0, 0,
        coalesce(sum(amount) ${of('purchase', 'voucher')}, 0),
        coalesce(-sum(amount) ${of('generation', 'refund')}, 0),
        coalesce(-sum(amount) ${of('expiry')}, 0)
      from (${sources.ledger(moments)}) entries group by 1
    ) parts group by day`
}

/** Outcomes that are no duration. */
export const outcomes = { failed: -2, other: -1 } as const

const bucketsPerDoubling = 16
const shortest = 0.1

/** Failed, not ended or cancelled, or the duration on a scale of sixteen steps to each doubling. */
const outcomeOf = (() => {
  const steps = sql`floor(${sql.raw(String(bucketsPerDoubling))} * ln(greatest(1, seconds / ${sql.raw(String(shortest))})) / ln(2))`
  return sql`case when status = 'failed' then ${sql.raw(String(outcomes.failed))}
    when status = 'succeeded' then coalesce(least(1000, ${steps}), ${sql.raw(String(outcomes.other))})
    else ${sql.raw(String(outcomes.other))} end::smallint`
})()

/** Has the columns of `daily_runs`. */
export function generationsByDay(sources: FigureSources, moments: Moments): SQL {
  return sql`select day, tool, ${outcomeOf} as outcome, count(*)::int as runs
    from (${sources.generations(moments)}) started group by 1, 2, 3`
}

/** Has the columns of `daily_people`. */
export function usersByDay(sources: FigureSources, moments: Moments): SQL {
  return sql`select distinct day, user_id from (${sources.generations(moments)}) started`
}

/** Seconds in the middle of a step of the histogram. */
export const secondsAt = (step: SQL): SQL =>
  sql`round((${sql.raw(String(shortest))} * power(2, (${step} + 0.5) / ${sql.raw(String(bucketsPerDoubling))}))::numeric, 2)`

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
