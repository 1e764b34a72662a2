import { sql } from 'drizzle-orm'
import { localDay } from '#server/db/days.ts'
import type { Deps } from '#server/deps.ts'
import { isWithinRate } from '#server/http/rate-limit.ts'
import type { visitInput } from '../schemas.ts'
import { dailyVisits } from './table.ts'

/** Most machines run no script and never get here. */
const machines = /bot|crawl|spider|slurp|preview|headless|lighthouse|monitor/i
/** Generous, because many users of a mobile network share an address. */
const fromAddress = { rule: 'visit', limit: 300, seconds: 3600 }

/** Counts a device on its first visit of the day; silently ignores machines. */
export async function countVisit(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  { address, agent }: { address: string; agent: string },
  { first }: typeof visitInput.infer,
): Promise<void> {
  if (agent === '' || machines.test(agent)) return
  if (!(await isWithinRate(deps, [{ ...fromAddress, subject: address }]))) return
  const { visits, visitors } = dailyVisits
  const added = first ? 1 : 0
  await deps.db
    .insert(dailyVisits)
    .values({ day: localDay(deps.clock()), visits: 1, visitors: added })
    .onConflictDoUpdate({
      target: dailyVisits.day,
      set: { visits: sql`${visits} + 1`, visitors: sql`${visitors} + ${added}::int` },
    })
}
