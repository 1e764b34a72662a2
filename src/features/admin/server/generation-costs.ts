import { sql } from 'drizzle-orm'
import { billing } from '#features/billing/server/billing.ts'
import { rows } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'
import type { daysInput, GenerationCosts, GenerationCostsRow } from '../schemas.ts'
import { generationCostsByDay, rowsOfDays } from './figures-by-day.ts'
import { daysOf } from './period.ts'
import { firstOpenDay } from './roll-up.ts'
import { dailyGenerationCosts } from './table.ts'

type Found = Record<
  Exclude<keyof GenerationCostsRow, 'tool' | 'provider' | 'runs' | 'untold' | 'costIdr' | 'marginIdr'>,
  string | number
> &
  Pick<GenerationCostsRow, 'tool' | 'provider'>

const columns = 'tool, provider, runs, untold, usd, credits, earned_idr'

/** Includes the price at which the credits had been bought. */
export async function readGenerationCosts(
  { db, config, clock }: Pick<Deps, 'db' | 'config' | 'clock'>,
  asked: typeof daysInput.infer,
): Promise<GenerationCosts> {
  const days = daysOf(asked, clock())
  const since = (await firstOpenDay(db)) ?? days.from
  const idrPerUsd = await billing.currentRate(db, config)
  const found = await rows<Found>(
    db,
    sql`select tool, provider, sum(runs) as generations, sum(untold) as "costUnknown", round(sum(usd)::numeric, 6) as usd, sum(credits) as credits,
      round(sum(earned_idr)) as "earnedIdr"
    from ${rowsOfDays(dailyGenerationCosts, columns, days, since, generationCostsByDay)} group by 1, 2 order by usd desc, 1, 2`,
  )
  const items = found.map(({ tool, provider, ...counts }): GenerationCostsRow => {
    const [generations, costUnknown, usd] = [Number(counts.generations), Number(counts.costUnknown), Number(counts.usd)]
    const [credits, earnedIdr, costIdr] = [
      Number(counts.credits),
      Number(counts.earnedIdr),
      Math.round(usd * idrPerUsd),
    ]
    const former = { runs: generations, untold: costUnknown }
    return {
      tool,
      provider,
      generations,
      costUnknown,
      ...former,
      usd,
      costIdr,
      credits,
      earnedIdr,
      marginIdr: earnedIdr - costIdr,
    }
  })
  return { items, idrPerUsd }
}
