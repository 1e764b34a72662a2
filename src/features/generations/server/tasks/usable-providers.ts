import { and, desc, eq, gt, inArray } from 'drizzle-orm'
import { account } from '#features/account/server/account.ts'
import type { Provider } from '#providers/provider.ts'
import type { Deps } from '#server/deps.ts'
import { providerJobs } from '../table.ts'
import { spentOn } from './provider-budget.ts'

/** Failures in a row after which a provider rests, and for how long. */
const failuresInRow = 5
const restMilliseconds = 300_000

/**
 * Those of the candidates who may be asked for somebody now: none that is outside of this server
 * without consent (`userId` undefined: as if everybody agreed), none that has failed again and
 * again, none whose budget is spent.
 */
export async function usableProviders(
  deps: Pick<Deps, 'db' | 'clock'>,
  userId: string | undefined,
  candidates: ReadonlyMap<string, Provider[]>,
): Promise<Map<string, Provider[]>> {
  const all = [...new Set([...candidates.values()].flat())]
  const agreed =
    userId === undefined || (all.some(({ remote }) => remote) && (await account.hasConsent(deps.db, userId, 'remote')))
  const usable = new Set<Provider>()
  for (const provider of all) {
    if (provider.remote && !agreed) continue
    if (!provider.budget || ((await hasBudget(deps, provider)) && !(await isResting(deps, provider))))
      usable.add(provider)
  }
  return new Map([...candidates].map(([name, list]) => [name, list.filter((provider) => usable.has(provider))]))
}

/** Whether anything is left; what one job may still cost is held against it when it is sent. */
async function hasBudget({ db, clock }: Pick<Deps, 'db' | 'clock'>, { id, budget, tasks }: Provider): Promise<boolean> {
  const [task] = await tasks()
  if (!task || !budget) return true
  const { day, month } = await budget(task)
  if (day === null && month === null) return true
  const spent = await spentOn(db, id, clock())
  return spent.day < (day ?? Number.POSITIVE_INFINITY) && spent.month < (month ?? Number.POSITIVE_INFINITY)
}

/** Whether all of its last jobs have failed, the newest of them just now. */
export async function isResting(
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
