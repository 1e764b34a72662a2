import { desc } from 'drizzle-orm'
import type { PriceHistory } from '../../admin/schemas.ts'
import type { BillingDeps } from '../deps.ts'
import { exchangeRates, packages } from '../tables/catalogue.ts'
import { currentRate } from './packages.ts'

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
