import type { setPackageInput } from '../contract.ts'
import type { BillingDeps } from './deps.ts'
import { exchangeRates, packages } from './table.ts'

/** Puts a package on sale as it is from now on; orders keep what they were placed with. */
export async function setPackage(
  { db, clock }: Pick<BillingDeps, 'db' | 'clock'>,
  adminId: string,
  id: string,
  given: typeof setPackageInput.infer,
): Promise<void> {
  await db.insert(packages).values({ id, ...given, createdAt: clock(), createdBy: adminId })
}

/** Sets the rupiah for a dollar from now on. */
export async function setRate(
  { db, clock }: Pick<BillingDeps, 'db' | 'clock'>,
  adminId: string,
  idrPerUsd: number,
): Promise<void> {
  await db.insert(exchangeRates).values({ idrPerUsd, createdAt: clock(), createdBy: adminId })
}
