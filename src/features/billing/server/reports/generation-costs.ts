import { type SQL, sql } from 'drizzle-orm'
import { creditLots, ledgerEntries, lotMoves } from '#features/credits/server/table.ts'
import { generations, providerJobs } from '#features/generations/server/table.ts'
import { type Executor, rows, type Transaction } from '#server/db/database.ts'
import { type Days, dayOf, daysOf, isDuring, type Moments, momentsOf, rowsOfDays } from '#server/db/days.ts'
import type { Deps } from '#server/deps.ts'
import type { daysInput } from '#shared/date-input.ts'
import type { GenerationCosts, GenerationCostsRow } from '../../admin/report-schemas.ts'
import { receivedIdr } from '../orders/payment-summary.ts'
import { currentRate } from '../prices/packages.ts'
import { dailyGenerationCosts } from '../tables/checks.ts'
import { orders } from '../tables/orders.ts'

/**
 * Null if nothing was paid. Later refunds change nothing: the revenue report has them on their day.
 */
const creditCostIdr = (lot: SQL): SQL => sql`(
  select ${receivedIdr}::float8 / greatest(coalesce(${orders.packageCredits}, 0) + ${orders.voucherCredits}, 1)
  from ${creditLots} bought join ${orders} on ${orders.id} = bought.order_id where bought.id = ${lot})`

/** Adds the first day whose figures are not final yet. */
export type ReportDeps = Deps & { firstOpenDay(executor: Executor): Promise<string | undefined> }

type Found = Record<
  Exclude<keyof GenerationCostsRow, 'tool' | 'provider' | 'runs' | 'untold' | 'costIdr' | 'marginIdr'>,
  string | number
> &
  Pick<GenerationCostsRow, 'tool' | 'provider'>

const columns = 'tool, provider, runs, untold, usd, credits, earned_idr'

/** Includes the price at which the credits had been bought. */
export async function readGenerationCosts(
  { db, config, clock, firstOpenDay }: Pick<ReportDeps, 'db' | 'config' | 'clock' | 'firstOpenDay'>,
  asked: typeof daysInput.infer,
): Promise<GenerationCosts> {
  const days = daysOf(asked, clock())
  const since = (await firstOpenDay(db)) ?? days.from
  const idrPerUsd = await currentRate(db, config)
  const found = await rows<Found>(
    db,
    sql`select tool, provider, sum(runs) as generations, sum(untold) as "costUnknown", round(sum(usd)::numeric, 6) as usd, sum(credits) as credits,
      round(sum(earned_idr)) as "earnedIdr"
    from ${rowsOfDays(dailyGenerationCosts, columns, days, since, generationCostsByDay)} group by 1, 2 order by usd desc, 1, 2`,
  )
  const items = found.map(({ tool, provider, ...sums }): GenerationCostsRow => {
    const sum = (name: keyof typeof sums) => Number(sums[name])
    const [generations, costUnknown, earnedIdr] = [sum('generations'), sum('costUnknown'), sum('earnedIdr')]
    const costIdr = Math.round(sum('usd') * idrPerUsd)
    const counts = { generations, costUnknown, runs: generations, untold: costUnknown, credits: sum('credits') }
    return { tool, provider, ...counts, usd: sum('usd'), costIdr, earnedIdr, marginIdr: earnedIdr - costIdr }
  })
  return { items, idrPerUsd }
}

export async function closeGenerationCosts(tx: Transaction, days: Days): Promise<void> {
  await tx.execute(sql`
    insert into ${dailyGenerationCosts} (day, tool, provider, runs, untold, usd, credits, earned_idr)
    ${generationCostsByDay(momentsOf(days))} on conflict do nothing`)
}

/**
 * Provider costs, and the price at which the credits had been bought, with the columns of
 * `daily_run_costs`. Charges and refunds count on their own days, so a day that is over stays as it
 * is. Given credits and unlimited days bring no revenue.
 */
function generationCostsByDay(moments: Moments): SQL {
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
        ) jobs where ${isDuring(generations.createdAt, moments)}
      ) runs where jobs > 0 group by 1, 2, 3
      union all
      select ${dayOf(ledgerEntries.createdAt)}, ${dimensions}, 0, 0, 0, -sum(${lotMoves.amount}),
        -sum(${lotMoves.amount} * coalesce(paid.idr, 0))
      from ${ledgerEntries} join ${generations} on ${generations.id} = ${ledgerEntries.subjectId}
          and exists (select 1 from ${providerJobs} where ${asked})
        join ${lotMoves} on ${lotMoves.entryId} = ${ledgerEntries.id}
        join ${creditLots} on ${creditLots.id} = ${lotMoves.lotId}
        left join lateral ${creditCostIdr(sql`coalesce(${creditLots.lengthens}, ${creditLots.id})`)} paid(idr) on true
      where ${isDuring(ledgerEntries.createdAt, moments)} and ${ledgerEntries.kind} in ('generation', 'refund')
      group by 1, 2, 3
    ) parts group by 1, 2, 3`
}
