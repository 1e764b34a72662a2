import { sql } from 'drizzle-orm'
import { billing } from '#features/billing/server/billing.ts'
import { rows } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'
import type { daysInput, RunCosts, RunCostsRow } from '../schemas.ts'
import { rowsOfDays, runCostsByDay } from './figures-by-day.ts'
import { daysOf } from './period.ts'
import { firstOpenDay } from './roll-up.ts'
import { dailyRunCosts } from './table.ts'

type Found = Record<Exclude<keyof RunCostsRow, 'tool' | 'provider' | 'costIdr' | 'marginIdr'>, string | number> &
  Pick<RunCostsRow, 'tool' | 'provider'>

const columns = 'tool, provider, runs, untold, usd, credits, earned_idr'

/** Includes the price at which the credits had been bought. */
export async function readRunCosts(
  { db, config, clock }: Pick<Deps, 'db' | 'config' | 'clock'>,
  asked: typeof daysInput.infer,
): Promise<RunCosts> {
  const days = daysOf(asked, clock())
  const since = (await firstOpenDay(db)) ?? days.from
  const idrPerUsd = await billing.currentRate(db, config)
  const found = await rows<Found>(
    db,
    sql`select tool, provider, sum(runs) as runs, sum(untold) as untold, round(sum(usd)::numeric, 6) as usd, sum(credits) as credits,
      round(sum(earned_idr)) as "earnedIdr"
    from ${rowsOfDays(dailyRunCosts, columns, days, since, runCostsByDay)} group by 1, 2 order by usd desc, 1, 2`,
  )
  const items = found.map(({ tool, provider, ...counts }): RunCostsRow => {
    const [runs, untold, usd] = [Number(counts.runs), Number(counts.untold), Number(counts.usd)]
    const [credits, earnedIdr, costIdr] = [
      Number(counts.credits),
      Number(counts.earnedIdr),
      Math.round(usd * idrPerUsd),
    ]
    return { tool, provider, runs, untold, usd, costIdr, credits, earnedIdr, marginIdr: earnedIdr - costIdr }
  })
  return { items, idrPerUsd }
}
