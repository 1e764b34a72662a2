import { and, desc, eq, gt, gte, inArray, sql } from 'drizzle-orm'
import type { Provider } from '#providers/provider.ts'
import { hasConsent } from '#server/auth/consent.ts'
import type { Executor } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'
import { providerJobs } from '../table.ts'

/** A provider rests after so many failures in a row. */
const failuresInRow = 5
const restMilliseconds = 300_000

/**
 * Excludes external providers without consent (assumed if `userId` is undefined), resting ones, and
 * those without budget.
 */
export async function usableProviders(
  deps: Pick<Deps, 'db' | 'clock'>,
  userId: string | undefined,
  candidates: ReadonlyMap<string, Provider[]>,
): Promise<Map<string, Provider[]>> {
  const all = [...new Set([...candidates.values()].flat())]
  const agreed =
    userId === undefined || (all.some(({ remote }) => remote) && (await hasConsent(deps.db, userId, 'remote')))
  const usable = new Set<Provider>()
  for (const provider of all) {
    if (provider.remote && !agreed) continue
    if (!provider.budget || ((await hasBudget(deps, provider)) && !(await isSuspended(deps, provider))))
      usable.add(provider)
  }
  return new Map([...candidates].map(([name, list]) => [name, list.filter((provider) => usable.has(provider))]))
}

/** A job's expected cost is compared with the budget when it is sent. */
async function hasBudget({ db, clock }: Pick<Deps, 'db' | 'clock'>, { id, budget, tasks }: Provider): Promise<boolean> {
  const [task] = await tasks()
  if (!task || !budget) return true
  const { day, month } = await budget(task)
  if (day === null && month === null) return true
  const spent = await providerSpending(db, id, clock())
  return spent.day < (day ?? Number.POSITIVE_INFINITY) && spent.month < (month ?? Number.POSITIVE_INFINITY)
}

/** True if all of its last jobs have failed, the newest recently. */
export async function isSuspended(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { id }: Pick<Provider, 'id'>,
): Promise<boolean> {
  const since = new Date(clock().getTime() - restMilliseconds)
  const last = await db
    .select({ state: providerJobs.state })
    .from(providerJobs)
    .where(
      and(
        eq(providerJobs.provider, id),
        inArray(providerJobs.state, ['done', 'failed']),
        gt(providerJobs.createdAt, new Date(since.getTime() - restMilliseconds)),
        gt(providerJobs.endedAt, since),
      ),
    )
    .orderBy(desc(providerJobs.endedAt))
    .limit(failuresInRow)
  return last.length === failuresInRow && last.every(({ state }) => state === 'failed')
}

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
