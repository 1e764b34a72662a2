import { asc, desc, eq, max } from 'drizzle-orm'
import { audit } from '#server/audit/audit.ts'
import type { Config } from '#server/config.ts'
import type { Executor } from '#server/db/database.ts'
import { advisoryLock, requireVersion, transact } from '#server/db/transact.ts'
import type { PriceHistory, setPackageInput, setRateInput } from '../../admin/schemas.ts'
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
async function rateVersion(executor: Executor): Promise<number> {
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

/** Effective from now on; existing orders keep their version. */
export async function setPackage(
  { db, clock }: Pick<BillingDeps, 'db' | 'clock'>,
  adminId: string,
  id: string,
  { version, ...given }: typeof setPackageInput.infer,
): Promise<void> {
  const now = clock()
  await transact(db, async (tx) => {
    await advisoryLock(tx, `package:${id}`)
    const newest = tx.select().from(packages).where(eq(packages.id, id)).orderBy(desc(packages.version)).limit(1)
    const [before] = await newest
    requireVersion(version, before?.version ?? 0)
    await tx.insert(packages).values({ ...given, id, createdAt: now, createdBy: adminId })
    const subject = { kind: 'package', id }
    await audit(tx, { actor: adminId, action: 'package.changed', subject, before, after: given, now })
  })
}

/** Rupiah per US dollar, effective from now on. */
export async function setRate(
  { db, clock, config }: Pick<BillingDeps, 'db' | 'clock' | 'config'>,
  adminId: string,
  { idrPerUsd, version }: typeof setRateInput.infer,
): Promise<void> {
  const now = clock()
  await transact(db, async (tx) => {
    await advisoryLock(tx, 'exchange_rate')
    requireVersion(version, await rateVersion(tx))
    const before = { idrPerUsd: await currentRate(tx, config) }
    await tx.insert(exchangeRates).values({ idrPerUsd, createdAt: now, createdBy: adminId })
    const subject = { kind: 'exchange_rate', id: 'idr' }
    await audit(tx, { actor: adminId, action: 'exchange_rate.changed', subject, before, after: { idrPerUsd }, now })
  })
}

const kept = 50

/** Newest first, including packages no longer on sale, and rates. */
export async function readPriceHistory({ db, config }: Pick<BillingDeps, 'db' | 'config'>): Promise<PriceHistory> {
  const versions = await db.select().from(packages).orderBy(desc(packages.version))
  const rates = await db.select().from(exchangeRates).orderBy(desc(exchangeRates.id)).limit(kept)
  const ids = [...new Set(versions.map(({ id }) => id))]
  const items = ids.map((id) => ({
    id,
    versions: versions
      .filter((version) => version.id === id)
      .slice(0, kept)
      .map(({ version, name, cents, credits, days, position, active, createdAt, createdBy }) => ({
        version,
        name,
        cents,
        credits,
        days,
        position,
        active,
        at: createdAt.toISOString(),
        by: createdBy,
      })),
  }))
  return {
    items: items.sort((a, b) => (a.versions[0]?.position ?? 0) - (b.versions[0]?.position ?? 0)),
    idrPerUsd: await currentRate(db, config),
    rateVersion: rates[0]?.id ?? 0,
    rates: rates.map(({ idrPerUsd, createdAt, createdBy }) => ({
      idrPerUsd,
      at: createdAt.toISOString(),
      by: createdBy,
    })),
  }
}
