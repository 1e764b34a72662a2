import type { Executor } from '#server/db/database.ts'
import type { BillingDeps } from '../deps.ts'
import { discountFor } from '../orders/price.ts'
import { listPackages } from '../prices/packages.ts'
import type { Voucher } from './vouchers.ts'

/** Credits, or the rupiah discount on the most expensive package; null without a limit. */
export async function voucherWorth(
  executor: Executor,
  config: BillingDeps['config'],
  { kind, value, limitTotal }: Pick<Voucher, 'kind' | 'value' | 'limitTotal'>,
): Promise<{ unit: 'credits' | 'idr'; amount: number | null }> {
  if (kind === 'free_credits') return { unit: 'credits', amount: limitTotal && value * limitTotal }
  const { items } = await listPackages({ db: executor, config })
  const highestIdr = Math.max(0, ...items.map(({ idr }) => idr))
  return { unit: 'idr', amount: limitTotal && discountFor({ kind, value }, highestIdr) * limitTotal }
}
