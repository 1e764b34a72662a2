import { and, desc, eq, gt, gte, inArray, sql } from 'drizzle-orm'
import { EngineError } from '#engine/error.ts'
import type { Provider } from '#providers/provider.ts'
import { hasConsent } from '#server/auth/consent.ts'
import type { Executor } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { addTime } from '#shared/time.ts'
import type { AnyTool } from '#tools/contract/tool.ts'
import { providerJobs } from '../table.ts'
import type { ProviderJob } from './provider-jobs.ts'
import { providersFor } from './provider-order.ts'

/** A provider rests after so many failures in a row. */
const failuresInRow = 5
const restMinutes = 5

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
async function isSuspended({ db, clock }: Pick<Deps, 'db' | 'clock'>, { id }: Pick<Provider, 'id'>): Promise<boolean> {
  const since = addTime(clock(), { minutes: -restMinutes })
  const last = await db
    .select({ state: providerJobs.state })
    .from(providerJobs)
    .where(
      and(
        eq(providerJobs.provider, id),
        inArray(providerJobs.state, ['done', 'failed']),
        gt(providerJobs.createdAt, addTime(since, { minutes: -restMinutes })),
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

/**
 * Throws before the charge if a needed provider is missing, rests after failures, or is external
 * without the user's consent.
 */
export async function requireProviders(
  deps: Pick<Deps, 'db' | 'clock' | 'providers'>,
  userId: string,
  tool: AnyTool,
  params: Record<string, unknown>,
): Promise<void> {
  const problem = await providerProblem(deps, userId, tool, params)
  if (!problem) return
  const { path, code } = tool.withoutProvider ?? {}
  if (problem === 'unavailable' && path && code) throw appError(code, { details: { [path]: code } })
  throw appError(problem === 'unavailable' ? 'tool.option_unavailable' : 'consent.remote_required')
}

/** The first reason why a needed task cannot be done. */
export async function providerProblem(
  deps: Pick<Deps, 'db' | 'clock' | 'providers'>,
  userId: string,
  tool: AnyTool,
  params: Record<string, unknown>,
): Promise<'unavailable' | 'no_consent' | undefined> {
  const needed = tool.needs?.(params) ?? []
  if (needed.length === 0) return undefined
  const candidates = await providersFor(deps, tool)
  const usable = await usableProviders(deps, userId, candidates)
  for (const [name, task] of Object.entries(tool.tasks)) {
    if (!needed.includes(task)) continue
    const able = candidates.get(name) ?? []
    if (usable.get(name)?.length) continue
    const agreed = await usableProviders(deps, undefined, new Map([[name, able]]))
    return agreed.get(name)?.length ? 'no_consent' : 'unavailable'
  }
  return undefined
}

/** Throws when a task that only providers can do has failed at all of them. */
export function requireNeededTasks(
  tool: AnyTool,
  params: Record<string, unknown>,
  jobs: readonly Pick<ProviderJob, 'taskKey' | 'state' | 'sent'>[],
): void {
  const needed = tool.needs?.(params) ?? []
  for (const [name, task] of Object.entries(tool.tasks)) {
    if (!needed.includes(task)) continue
    const asked = jobs.filter(({ taskKey, sent }) => taskKey.split('/')[0] === name && sent > 0)
    if (asked.length > 0 && !asked.some(({ state }) => state === 'done'))
      throw new EngineError('engine.provider_failed')
  }
}
