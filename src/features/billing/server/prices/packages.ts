import { asc, desc, eq, max } from 'drizzle-orm'
import type { Config } from '#server/config.ts'
import type { Executor } from '#server/db/database.ts'
import type { PackageList } from '../../types.ts'
import type { BillingDeps } from '../deps.ts'
import { idrFor } from '../orders/price.ts'
import { exchangeRates, packages } from '../tables/catalogue.ts'

export type Package = typeof packages.$inferSelect

/** A package as it is sold now, or undefined when it is not. */
export async function findPackage(executor: Executor, id: string): Promise<Package | undefined> {
  const [found] = await executor
    .select()
    .from(packages)
    .where(eq(packages.id, id))
    .orderBy(desc(packages.version))
    .limit(1)
  return found?.active ? found : undefined
}

/** Rupiah for a dollar: what admins set last, else the configuration's. */
export async function currentRate(executor: Executor, config: Pick<Config, 'payment'>): Promise<number> {
  const [row] = await executor
    .select({ idrPerUsd: exchangeRates.idrPerUsd })
    .from(exchangeRates)
    .orderBy(desc(exchangeRates.id))
    .limit(1)
  return row?.idrPerUsd ?? config.payment.idrPerUsd
}

/** Names the rate of now; 0 for the configuration's. */
export async function rateVersion(executor: Executor): Promise<number> {
  const [row] = await executor.select({ version: max(exchangeRates.id) }).from(exchangeRates)
  return row?.version ?? 0
}

/** What is on sale, with prices at the rate of now. */
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
  return { items, idrPerUsd }
}
