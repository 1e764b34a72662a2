import type { Executor } from '#server/db/database.ts'
import type { BillingDeps } from '../deps.ts'
import { discountFor } from '../orders/price.ts'
import { listPackages } from '../prices/packages.ts'
import type { Voucher } from './vouchers.ts'

/**
 * What a voucher gives when it is used as often as it can be: credits, or the rupiah that it takes
 * off the dearest package; null without a limit.
 */
export async function voucherWorth(
  executor: Executor,
  config: BillingDeps['config'],
  { kind, value, limitTotal }: Pick<Voucher, 'kind' | 'value' | 'limitTotal'>,
): Promise<{ unit: 'credits' | 'idr'; amount: number | null }> {
  if (kind === 'free_credits') return { unit: 'credits', amount: limitTotal && value * limitTotal }
  const { items } = await listPackages({ db: executor, config })
  const dearest = Math.max(0, ...items.map(({ idr }) => idr))
  return { unit: 'idr', amount: limitTotal && discountFor({ kind, value }, dearest) * limitTotal }
}
