import { desc, eq } from 'drizzle-orm'
import { audit } from '#server/audit/audit.ts'
import { advisoryLock, requireVersion } from '#server/db/locks.ts'
import { transact } from '#server/db/transact.ts'
import type { PriceHistory, setPackageInput, setRateInput } from '../../admin/schemas.ts'
import type { BillingDeps } from '../deps.ts'
import { exchangeRates, packages } from '../tables/catalogue.ts'
import { currentRate, rateVersion } from './packages.ts'

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
