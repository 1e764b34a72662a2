import { type SQL, sql } from 'drizzle-orm'
import { type Executor, rows } from '#server/db/database.ts'
import { beginOfDay, type Days } from '#server/db/days.ts'
import { usersByDay } from './figures-by-day.ts'
import type { FigureSources } from './sources.ts'
import { dailyPeople, peopleCounts } from './table.ts'

const earlier = (a: string, b: string) => (a < b ? a : b)

/**
 * Counts users who started a generation in each span. Days before `since` are final, so their count
 * is cached; of the days since then only users who did not come earlier are added.
 */
export async function countDistinctUsers(
  executor: Executor,
  sources: FigureSources,
  { spans, since }: { spans: readonly Days[]; since: string },
): Promise<number[]> {
  const closed = spans.map(({ from, to }) => ({ from, to: earlier(to, since) }))
  const kept = await readKept(executor)
  const counts: number[] = []
  for (const [index, { from, to }] of spans.entries()) {
    const part = closed[index] as Days
    const before = part.from < part.to ? (kept.get(keyOf(part)) ?? (await countClosed(executor, part))) : 0
    counts.push(before + (to > since ? await countNew(executor, sources, { from, to, since }) : 0))
  }
  return counts
}

export async function cacheDistinctUsers(executor: Executor, spans: readonly Days[], since: string): Promise<void> {
  const kept = await readKept(executor)
  for (const { from, to } of spans) {
    const part = { from, to: earlier(to, since) }
    if (part.from >= part.to || kept.has(keyOf(part))) continue
    const people = await countClosed(executor, part)
    await executor.insert(peopleCounts).values({ fromDay: part.from, toDay: part.to, people }).onConflictDoNothing()
  }
}

const keyOf = ({ from, to }: Days) => `${from} ${to}`

async function readKept(executor: Executor): Promise<Map<string, number>> {
  const found = await executor.select().from(peopleCounts)
  return new Map(found.map(({ fromDay, toDay, people }) => [keyOf({ from: fromDay, to: toDay }), people]))
}

async function only(executor: Executor, query: SQL): Promise<number> {
  const [row] = await rows<{ people: string | number }>(executor, query)
  return Number(row?.people ?? 0)
}

function countClosed(executor: Executor, { from, to }: Days): Promise<number> {
  const people = sql`select user_id from ${dailyPeople} where day >= ${from}::date and day < ${to}::date group by 1`
  return only(executor, sql`select count(*) as people from (${people}) seen`)
}

function countNew(
  executor: Executor,
  sources: FigureSources,
  { from, to, since }: Days & { since: string },
): Promise<number> {
  const moments = { from: beginOfDay(from > since ? from : since), to: beginOfDay(to) }
  return only(
    executor,
    sql`select count(distinct user_id) as people from (${usersByDay(sources, moments)}) seen
      where not exists (select 1 from ${dailyPeople} known
        where known.user_id = seen.user_id and known.day >= ${from}::date and known.day < ${since}::date)`,
  )
}
