import { type SQL, sql } from 'drizzle-orm'
import { users } from '#server/auth/table.ts'
import { dayOf, isDuring, type Moments } from '#server/db/days.ts'
import type { FigureSources } from './sources.ts'

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

/** From a histogram; exact to two percent. */
export function medianSeconds(durations: readonly { outcome: number; generations: number }[]): number | null {
  const known = durations.filter(({ outcome }) => outcome >= 0).sort((a, b) => a.outcome - b.outcome)
  const all = known.reduce((sum, { generations: count }) => sum + count, 0)
  let below = 0
  for (const { outcome, generations: count } of known) {
    below += count
    if (below >= all / 2) return Math.round(100 * shortest * 2 ** ((outcome + 0.5) / bucketsPerDoubling)) / 100
  }
  return null
}
