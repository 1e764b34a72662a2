import { desc, gte, inArray, or, sql } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import { reasonOf } from '#server/log.ts'
import { pictureTasks } from '../../rules.ts'
import type { ProviderView } from '../../schemas.ts'
import { providerJobs } from '../table.ts'

const dayMilliseconds = 86_400_000

/** Includes every provider with a job within a day. */
export async function listProviders({
  db,
  clock,
  providers,
}: Pick<Deps, 'db' | 'clock' | 'providers'>): Promise<ProviderView[]> {
  const since = new Date(clock().getTime() - dayMilliseconds)
  const { state, createdAt, sentAt, endedAt, cost, error } = providerJobs
  const underWay = inArray(state, ['asked', 'waiting'])
  const lately = sql`${createdAt} >= ${since.toISOString()}::timestamptz`
  const newestFirst = sql`array_agg(${error} order by ${endedAt} desc)`
  const figures = await db
    .select({
      provider: providerJobs.provider,
      running: sql<number>`count(*) filter (where ${underWay})`.mapWith(Number),
      failures: sql<number>`count(*) filter (where ${state} = 'failed')`.mapWith(Number),
      lastError: sql<string | null>`(${newestFirst} filter (where ${state} = 'failed'))[1]`,
      medianSeconds: sql<
        number | null
      >`(percentile_cont(0.5) within group (order by extract(epoch from ${endedAt} - ${sentAt}))
        filter (where ${state} = 'done' and ${lately}))::float8`,
      spent: sql<number>`coalesce(sum(${cost}) filter (where ${lately}), 0)`.mapWith(Number),
    })
    .from(providerJobs)
    .where(or(gte(createdAt, since), gte(endedAt, since), underWay))
    .groupBy(providerJobs.provider)
    .orderBy(desc(providerJobs.provider))
  const views = providers.map(async (provider) => {
    const health = provider.health().catch((failure: unknown) => ({ ok: false, detail: reasonOf(failure) }))
    const [tasks, { ok, detail }] = await Promise.all([provider.tasks(), health])
    const {
      running = 0,
      failures = 0,
      lastError = null,
      medianSeconds = null,
      spent = 0,
    } = figures.find((its) => its.provider === provider.id) ?? {}
    const testable = pictureTasks.filter((task) => tasks.includes(task))
    const its = { id: provider.id, tasks: [...tasks], testable, ok, detail }
    return { ...its, failures, lastError, running, medianSeconds, spent }
  })
  return (await Promise.all(views)).filter(({ tasks, ok, failures }) => tasks.length > 0 || !ok || failures > 0)
}
