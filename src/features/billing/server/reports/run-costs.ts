import { sql } from 'drizzle-orm'
import { grantMoves, grants, ledgerEntries } from '#features/credits/server/table.ts'
import { generations, providerJobs } from '#features/generations/server/table.ts'
import { rows } from '#server/db/database.ts'
import type { revenueInput } from '../../admin/schemas.ts'
import type { RunCosts, RunCostsRow } from '../../admin/types.ts'
import type { BillingDeps } from '../deps.ts'
import { receivedIdr } from '../orders/money-of.ts'
import { currentRate } from '../prices/packages.ts'
import { orders } from '../tables/orders.ts'
import { orderRefunds } from '../tables/payments.ts'
import { originOf } from './liability.ts'
import { during } from './revenue.ts'

type Found = Record<Exclude<keyof RunCostsRow, 'tool' | 'provider' | 'marginIdr'>, string | number> &
  Pick<RunCostsRow, 'tool' | 'provider'>

/** Days that are told of where none are asked for. */
const usualDays = 30

/**
 * What the runs that were started in a span and that others than the engine were asked for have
 * cost there, and what their credits had brought: of each order the money that is still here, by
 * the share of its credits that the run took. Given credits and unlimited days bring nothing here.
 */
export async function readRunCosts(
  { db, config, clock }: Pick<BillingDeps, 'db' | 'config' | 'clock'>,
  given: typeof revenueInput.infer,
): Promise<RunCosts> {
  const span = { ...given, from: given.from ?? new Date((given.to ?? clock()).getTime() - usualDays * 86_400_000) }
  const idrPerUsd = await currentRate(db, config)
  const found = await rows<Found>(
    db,
    sql`
    with asked as (
      select ${generations.id} as id, ${generations.tool} as tool, ${generations.provider} as provider,
        sum(${providerJobs.cost}) as usd, count(*) filter (where ${providerJobs.cost} is null) as untold
      from ${generations} join ${providerJobs} on ${providerJobs.generationId} = ${generations.id}
      where ${during(generations.createdAt, span)} and ${providerJobs.provider} <> 'local' and ${providerJobs.sent} > 0
      group by ${generations.id}
    ), taken as (
      select asked.id, coalesce(${grants.lengthens}, ${grants.id}) as lot, -sum(${grantMoves.amount}) as credits
      from asked join ${ledgerEntries}
          on ${ledgerEntries.subjectId} = asked.id and ${ledgerEntries.kind} in ('generation', 'refund')
          and ${ledgerEntries.createdAt} >= ${span.from.toISOString()}::timestamptz
        join ${grantMoves} on ${grantMoves.entryId} = ${ledgerEntries.id}
        join ${grants} on ${grants.id} = ${grantMoves.grantId}
      group by 1, 2
    ), priced as (
      select taken.lot, greatest(${receivedIdr} - back.amount, 0)::float8
          / greatest(coalesce(${orders.packageCredits}, 0) + ${orders.voucherCredits} - back.credits, 1) as idr
      from (select distinct lot from taken) taken, ${originOf(sql`taken.lot`)} origin
        join ${ledgerEntries} on ${ledgerEntries.id} = origin.entry
          and ${ledgerEntries.kind} in ('purchase', 'voucher')
        join ${orders} on ${orders.id} = ${ledgerEntries.subjectId},
        lateral (select coalesce(sum(amount_idr), 0) as amount, coalesce(sum(credits), 0) as credits
          from ${orderRefunds} where order_id = ${orders.id}) back
    ), earned as (
      select taken.id, sum(taken.credits) as credits, sum(taken.credits * coalesce(priced.idr, 0)) as idr
      from taken left join priced on priced.lot = taken.lot group by 1
    )
    select asked.tool, asked.provider, count(*) as runs, coalesce(sum(asked.usd), 0) as usd,
      count(*) filter (where asked.untold > 0) as untold, coalesce(sum(earned.credits), 0) as credits,
      coalesce(round(sum(earned.idr)), 0) as "earnedIdr", round(coalesce(sum(asked.usd), 0) * ${idrPerUsd}::int) as "costIdr"
    from asked left join earned on earned.id = asked.id group by 1, 2 order by 4 desc, 1, 2`,
  )
  const items = found.map(({ tool, provider, ...counts }): RunCostsRow => {
    const { runs, untold, credits, usd, earnedIdr, costIdr } = numbers(counts)
    return { tool, provider, runs, untold, credits, usd, costIdr, earnedIdr, marginIdr: earnedIdr - costIdr }
  })
  return { items, idrPerUsd }
}

const numbers = <Key extends string>(given: Record<Key, string | number>) =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name, Number(value)])) as Record<Key, number>
