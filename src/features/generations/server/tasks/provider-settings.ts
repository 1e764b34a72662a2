import { desc, eq, gte, inArray, or, sql } from 'drizzle-orm'
import { defaultSettings, type HostedSettings } from '#providers/hosted/model.ts'
import { audit } from '#server/audit/audit.ts'
import type { Executor } from '#server/db/database.ts'
import { advisoryLock, requireVersion, transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { reasonOf } from '#server/log.ts'
import { addTime } from '#shared/time.ts'
import { pictureTasks } from '../../rules.ts'
import type { ProviderSettingsInput, ProviderSettingsView, ProviderView } from '../../schemas.ts'
import { providerJobs, providerSettings } from '../table.ts'
import { providerSpending } from './usable-providers.ts'

type Hosted = keyof typeof defaultSettings

export async function readSettings(db: Executor, provider: Hosted): Promise<HostedSettings & { version: number }> {
  const [newest] = await db
    .select()
    .from(providerSettings)
    .where(eq(providerSettings.provider, provider))
    .orderBy(desc(providerSettings.version))
    .limit(1)
  const settings = (newest?.settings as HostedSettings | undefined) ?? defaultSettings[provider]
  return { ...settings, version: newest?.version ?? 0 }
}

/** Only services for which this server has keys. */
export async function listProviderSettings({
  db,
  clock,
  providers,
}: Pick<Deps, 'db' | 'clock' | 'providers'>): Promise<ProviderSettingsView[]> {
  const hosted = providers.map(({ id }) => id).filter((id): id is Hosted => Object.hasOwn(defaultSettings, id))
  return Promise.all(
    hosted.map(async (id) => {
      const { day, month } = await providerSpending(db, id, clock())
      return { provider: id, ...(await readSettings(db, id)), spentDay: day, spentMonth: month }
    }),
  )
}

/** Waiting generations keep the models of their jobs. */
export async function setProviderSettings(
  deps: Pick<Deps, 'db' | 'clock' | 'providers'>,
  adminId: string,
  provider: string,
  { version, ...settings }: ProviderSettingsInput,
): Promise<void> {
  if (!Object.hasOwn(defaultSettings, provider) || !deps.providers.some(({ id }) => id === provider))
    throw appError('request.not_found')
  const now = deps.clock()
  await transact(deps.db, async (tx) => {
    await advisoryLock(tx, `provider_settings:${provider}`)
    const { version: newest, ...before } = await readSettings(tx, provider as Hosted)
    requireVersion(version, newest)
    const next = { provider, version: version + 1, settings, createdAt: now, createdBy: adminId }
    await tx.insert(providerSettings).values(next)
    const subject = { kind: 'provider', id: provider } as const
    await audit(tx, { actor: adminId, action: 'provider.settings_changed', subject, before, after: settings, now })
  })
}

/** Includes every provider with a job within a day. */
export async function listProviders({
  db,
  clock,
  providers,
}: Pick<Deps, 'db' | 'clock' | 'providers'>): Promise<ProviderView[]> {
  const since = addTime(clock(), { days: -1 })
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
