import { v7 as uuid } from 'uuid'
import { appError } from '#server/http/app-error.ts'
import type { createVoucherInput } from '../contract.ts'
import type { BillingDeps } from './deps.ts'
import { vouchers } from './table.ts'
import { normalizeCode, type Voucher } from './vouchers.ts'

/** Makes a voucher; a person can use it once unless it says otherwise. Throws `form.invalid` when the code is taken. */
export async function createVoucher(
  { db, clock }: Pick<BillingDeps, 'db' | 'clock'>,
  adminId: string | null,
  { code, kind, value, days, active, ...given }: typeof createVoucherInput.infer,
): Promise<Voucher> {
  const [voucher] = await db
    .insert(vouchers)
    .values({
      id: uuid(),
      code: normalizeCode(code),
      kind,
      value,
      days,
      active,
      validFrom: given.validFrom ?? null,
      validUntil: given.validUntil ?? null,
      limitTotal: given.limitTotal ?? null,
      limitPerUser: given.limitPerUser === undefined ? 1 : given.limitPerUser,
      createdAt: clock(),
      createdBy: adminId,
    })
    .onConflictDoNothing({ target: vouchers.code })
    .returning()
  if (!voucher) throw appError('form.invalid', { code: 'voucher.codeTaken' })
  return voucher
}
