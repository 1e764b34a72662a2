import { asc, desc, eq, max } from 'drizzle-orm'
import type { Config } from '#server/config.ts'
import type { Executor } from '#server/db/database.ts'
import type { PackageList } from '../../schemas.ts'
import type { BillingDeps } from '../deps.ts'
import { idrFor } from '../orders/price.ts'
import { exchangeRates, packages } from '../tables/catalogue.ts'

export type Package = typeof packages.$inferSelect

export async function findPackage(executor: Executor, id: string): Promise<Package | undefined> {
  const [found] = await executor
    .select()
    .from(packages)
    .where(eq(packages.id, id))
    .orderBy(desc(packages.version))
    .limit(1)
  return found?.active ? found : undefined
}

/** The admins' latest rate, otherwise the configured one. */
export async function currentRate(executor: Executor, config: Pick<Config, 'payment'>): Promise<number> {
  const [row] = await executor
    .select({ idrPerUsd: exchangeRates.idrPerUsd })
    .from(exchangeRates)
    .orderBy(desc(exchangeRates.id))
    .limit(1)
  return row?.idrPerUsd ?? config.payment.idrPerUsd
}

/** 0 for the configured rate. */
export async function rateVersion(executor: Executor): Promise<number> {
  const [row] = await executor.select({ version: max(exchangeRates.id) }).from(exchangeRates)
  return row?.version ?? 0
}

export async function listPackages({ db, config }: Pick<BillingDeps, 'db' | 'config'>): Promise<PackageList> {
  const newest = await db
    .selectDistinctOn([packages.id])
    .from(packages)
    .orderBy(asc(packages.id), desc(packages.version))
  const idrPerUsd = await currentRate(db, config)
  const items = newest
    .filter(({ active }) => active)
    .sort((a, b) => a.position - b.position)
    .map(({ id, name, cents, credits, days }) => ({ id, name, cents, idr: idrFor(cents, idrPerUsd), credits, days }))
  return { items, idrPerUsd, ppnPercent: config.payment.ppnPercent }
}
