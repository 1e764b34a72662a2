import { and, desc, eq, gte } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import { reasonOf } from '#server/log.ts'
import type { ProviderView } from '../../types.ts'
import { providerJobs } from '../table.ts'

const dayMilliseconds = 86_400_000

/** Everybody who can do tasks or was asked for one within a day, with what went wrong. */
export async function listProviders({
  db,
  clock,
  providers,
}: Pick<Deps, 'db' | 'clock' | 'providers'>): Promise<ProviderView[]> {
  const since = new Date(clock().getTime() - dayMilliseconds)
  const failed = await db
    .select({ provider: providerJobs.provider, error: providerJobs.error })
    .from(providerJobs)
    .where(and(eq(providerJobs.state, 'failed'), gte(providerJobs.endedAt, since)))
    .orderBy(desc(providerJobs.endedAt))
  const views = providers.map(async (provider) => {
    const health = provider.health().catch((error: unknown) => ({ ok: false, detail: reasonOf(error) }))
    const [tasks, { ok, detail }] = await Promise.all([provider.tasks(), health])
    const its = failed.filter((job) => job.provider === provider.id)
    return { id: provider.id, tasks: [...tasks], ok, detail, failures: its.length, lastError: its[0]?.error ?? null }
  })
  return (await Promise.all(views)).filter(({ tasks, ok, failures }) => tasks.length > 0 || !ok || failures > 0)
}
