import { type SQL, sql } from 'drizzle-orm'
import { billing } from '#features/billing/server/billing.ts'
import { orders } from '#features/billing/server/tables/orders.ts'
import { creditLots, ledgerEntries, lotMoves } from '#features/credits/server/table.ts'
import { generations, providerJobs } from '#features/generations/server/table.ts'
import { users } from '#server/auth/table.ts'
import { beginOfDay, type Days, dayOf, isDuring as during, type Moments } from '#server/db/days.ts'

/** Stored rows for the final days before `since`, computed rows for the days from then on. */
export const rowsOfDays = (
  table: { getSQL(): SQL },
  columns: string,
  { from, to }: Days,
  since: string,
  count: (moments: Moments) => SQL,
): SQL => sql`(
  select ${sql.raw(columns)} from ${table} where day >= ${from}::date and day < least(${since}, ${to})::date
  union all select ${sql.raw(columns)}
  from (${count({ from: beginOfDay(from > since ? from : since), to: beginOfDay(to) })}) live) counted`

/** A row a day with the columns of `daily_figures`. */
export function sumsByDay(moments: Moments, people = usersByDay(moments)): SQL {
  const of = (...kinds: string[]) =>
    sql`filter (where ${ledgerEntries.kind} in (${sql.raw(kinds.map((kind) => `'${kind}'`).join(', '))}))`
  return sql`
    select day, sum(revenue_idr)::bigint as revenue_idr, sum(orders)::int as orders, sum(new_users)::int as new_users,
      sum(active_users)::int as active_users, sum(credits_sold)::bigint as credits_sold, sum(credits_spent)::bigint as credits_spent,
      sum(credits_expired)::bigint as credits_expired
    from (
      select ${dayOf(orders.paidAt)} as day, sum(${orders.totalIdr}) as revenue_idr, count(*) as orders, 0 as new_users,
        0 as active_users, 0 as credits_sold, 0 as credits_spent, 0 as credits_expired
      from ${orders} where ${during(orders.paidAt, moments)} group by 1
      union all
      select ${dayOf(users.createdAt)}, 0, 0, count(*), 0, 0, 0, 0
      from ${users} where ${during(users.createdAt, moments)} group by 1
      union all
      select day, 0, 0, 0, count(*), 0, 0, 0 from (${people}) people group by 1
      union all
      select ${dayOf(ledgerEntries.createdAt)}, 0, 0, 0, 0,
        coalesce(sum(${ledgerEntries.amount}) ${of('purchase', 'voucher')}, 0),
        coalesce(-sum(${ledgerEntries.amount}) ${of('generation', 'refund')}, 0),
        coalesce(-sum(${ledgerEntries.amount}) ${of('expiry')}, 0)
      from ${ledgerEntries} where ${during(ledgerEntries.createdAt, moments)} group by 1
    ) parts group by day`
}

/** Outcomes that are no duration. */
export const outcomes = { failed: -2, other: -1 } as const

const bucketsPerDoubling = 16
const shortest = 0.1

/** Failed, not ended or cancelled, or the duration on a scale of sixteen steps to each doubling. */
const outcomeOf = (() => {
  const seconds = sql`extract(epoch from ${generations.finishedAt} - ${generations.startedAt})::float8`
  const steps = sql`floor(${sql.raw(String(bucketsPerDoubling))} * ln(greatest(1, ${seconds} / ${sql.raw(String(shortest))})) / ln(2))`
  return sql`case when ${generations.status} = 'failed' then ${sql.raw(String(outcomes.failed))}
    when ${generations.status} = 'succeeded' then coalesce(least(1000, ${steps}), ${sql.raw(String(outcomes.other))})
    else ${sql.raw(String(outcomes.other))} end::smallint`
})()

/** Has the columns of `daily_runs`. */
export function generationsByDay(moments: Moments): SQL {
  return sql`select ${dayOf(generations.createdAt)} as day, ${generations.tool} as tool, ${outcomeOf} as outcome,
      count(*)::int as runs
    from ${generations} where ${during(generations.createdAt, moments)} group by 1, 2, 3`
}

/** Has the columns of `daily_people`. */
export function usersByDay(moments: Moments): SQL {
  return sql`select distinct ${dayOf(generations.createdAt)} as day, ${generations.userId} as user_id
    from ${generations} where ${during(generations.createdAt, moments)}`
}

/**
 * Provider costs, and the price at which the credits had been bought, with the columns of
 * `daily_run_costs`. Charges and refunds count on their own days, so a day that is over stays as it
 * is. Given credits and unlimited days bring no revenue.
 */
export function generationCostsByDay(moments: Moments): SQL {
  const asked = sql`${providerJobs.generationId} = ${generations.id} and ${providerJobs.provider} <> 'local'
    and ${providerJobs.sent} > 0`
  const dimensions = sql`${generations.tool} as tool, ${generations.provider} as provider`
  return sql`
    select day, tool, provider, sum(runs)::int as runs, sum(untold)::int as untold, sum(usd)::float8 as usd,
      sum(credits)::bigint as credits, sum(earned_idr)::float8 as earned_idr
    from (
      select day, tool, provider, count(*) as runs, count(*) filter (where untold > 0) as untold,
        coalesce(sum(usd), 0) as usd, 0 as credits, 0 as earned_idr
      from (
        select ${dayOf(generations.createdAt)} as day, ${dimensions}, jobs.*
        from ${generations}, lateral (
          select count(*) as jobs, sum(${providerJobs.cost}) as usd,
            count(*) filter (where ${providerJobs.cost} is null) as untold
          from ${providerJobs} where ${asked}
        ) jobs where ${during(generations.createdAt, moments)}
      ) runs where jobs > 0 group by 1, 2, 3
      union all
      select ${dayOf(ledgerEntries.createdAt)}, ${dimensions}, 0, 0, 0, -sum(${lotMoves.amount}),
        -sum(${lotMoves.amount} * coalesce(paid.idr, 0))
      from ${ledgerEntries} join ${generations} on ${generations.id} = ${ledgerEntries.subjectId}
          and exists (select 1 from ${providerJobs} where ${asked})
        join ${lotMoves} on ${lotMoves.entryId} = ${ledgerEntries.id}
        join ${creditLots} on ${creditLots.id} = ${lotMoves.lotId}
        left join lateral ${billing.creditCostIdr(sql`coalesce(${creditLots.lengthens}, ${creditLots.id})`)} paid(idr) on true
      where ${during(ledgerEntries.createdAt, moments)} and ${ledgerEntries.kind} in ('generation', 'refund')
      group by 1, 2, 3
    ) parts group by 1, 2, 3`
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
