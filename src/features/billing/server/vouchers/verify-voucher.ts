import { AppError, appError } from '#server/http/app-error.ts'
import type { VoucherPreview, verifyVoucherInput } from '../../schemas.ts'
import type { BillingDeps } from '../deps.ts'
import { discountFor, idrFor } from '../orders/price.ts'
import { currentRate, findPackage } from '../prices/packages.ts'
import { requireUsableVoucher } from './vouchers.ts'

/** Throws `voucher.invalid`, or `voucher.verification_failed` if it cannot be checked now. */
export async function verifyVoucher(
  { db, config, clock }: Pick<BillingDeps, 'db' | 'config' | 'clock'>,
  userId: string,
  input: typeof verifyVoucherInput.infer,
): Promise<VoucherPreview> {
  try {
    const bought = input.packageId ? await findPackage(db, input.packageId) : undefined
    if (input.packageId && !bought) throw appError('package.unknown')
    const withPackage = bought !== undefined
    const voucher = await requireUsableVoucher(db, { code: input.code, userId, withPackage, now: clock() })
    const subtotalIdr = bought ? idrFor(bought.cents, await currentRate(db, config)) : 0
    const discountIdr = discountFor(voucher, subtotalIdr)
    return {
      code: voucher.code,
      kind: voucher.kind,
      credits: voucher.kind === 'free_credits' ? voucher.value : 0,
      subtotalIdr,
      discountIdr,
      totalIdr: subtotalIdr - discountIdr,
    }
  } catch (error) {
    if (error instanceof AppError) throw error
    throw appError('voucher.verification_failed', { cause: error, retryAfter: 5 })
  }
}
