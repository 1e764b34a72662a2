import { and, eq, gte, sql } from 'drizzle-orm'
import type { Executor } from '#server/db/database.ts'
import { providerJobs } from '../table.ts'

/** US dollars today and in this month (UTC), with estimates of running jobs. */
export async function providerSpending(
  db: Executor,
  provider: string,
  now: Date,
): Promise<{ day: number; month: number }> {
  const day = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()))
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1))
  const ofDay = sql<number>`coalesce(sum(${providerJobs.cost}) filter (where ${providerJobs.createdAt} >= ${day.toISOString()}::timestamptz), 0)`
  const [spent] = await db
    .select({ day: ofDay.mapWith(Number), month: sql<number>`coalesce(sum(${providerJobs.cost}), 0)`.mapWith(Number) })
    .from(providerJobs)
    .where(and(eq(providerJobs.provider, provider), gte(providerJobs.createdAt, month)))
  return spent ?? { day: 0, month: 0 }
}
