import { desc, eq } from 'drizzle-orm'
import { defaultSettings, type HostedSettings } from '#providers/hosted/model.ts'
import { audit } from '#server/audit/audit.ts'
import type { Executor } from '#server/db/database.ts'
import { advisoryLock, requireVersion } from '#server/db/locks.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import type { ProviderSettingsInput, ProviderSettingsView } from '../../schemas.ts'
import { providerSettings } from '../table.ts'
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
