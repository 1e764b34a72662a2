import { and, count, eq, isNull, sql } from 'drizzle-orm'
import { hasActed } from '#server/audit/audit.ts'
import type { Executor, Transaction } from '#server/db/database.ts'
import { AppError, appError } from '#server/http/app-error.ts'
import type { VoucherPreview, verifyVoucherInput } from '../../schemas.ts'
import type { BillingDeps } from '../deps.ts'
import { discountFor, idrFor } from '../orders/price.ts'
import { currentRate, findPackage } from '../prices/packages.ts'
import { vouchers } from '../tables/catalogue.ts'
import { voucherRedemptions } from '../tables/orders.ts'

export type Voucher = typeof vouchers.$inferSelect

/** Subject of a voucher's entries in the audit log. */
export const voucherSubject = (id: string) => ({ kind: 'voucher', id })

export function normalizeCode(code: string): string {
  return code.trim().toUpperCase()
}

interface Use {
  code: string
  userId: string
  /** Without a package only vouchers for free credits are usable. */
  withPackage: boolean
  now: Date
}

/** Throws `voucher.invalid`. Nothing is reserved: a later order may still be refused. */
async function requireUsableVoucher(executor: Executor, use: Use): Promise<Voucher> {
  const [voucher] = await executor
    .select()
    .from(vouchers)
    .where(eq(vouchers.code, normalizeCode(use.code)))
  return await requireUsable(executor, voucher, use)
}

/** For an order's transaction: the row's lock serializes the orders that count. */
export async function holdVoucher(tx: Transaction, use: Use): Promise<Voucher> {
  const [voucher] = await tx
    .select()
    .from(vouchers)
    .where(eq(vouchers.code, normalizeCode(use.code)))
    .for('update')
  return await requireUsable(tx, voucher, use)
}

/** The caller holds the voucher, as an order does. */
export async function isVoucherExhausted(tx: Transaction, voucherId: string, userId: string): Promise<boolean> {
  const [voucher] = await tx.select().from(vouchers).where(eq(vouchers.id, voucherId)).for('update')
  return voucher !== undefined && (await limitReached(tx, voucher, userId))
}

/** The caller holds the voucher. */
export async function changeVoucherUses(tx: Transaction, voucherId: string, by: 1 | -1): Promise<void> {
  await tx
    .update(vouchers)
    .set({ uses: sql`${vouchers.uses} + ${by}` })
    .where(eq(vouchers.id, voucherId))
}

async function limitReached(executor: Executor, voucher: Voucher, userId: string): Promise<boolean> {
  const { id, uses, limitTotal, limitPerUser } = voucher
  if (limitTotal !== null && uses >= limitTotal) return true
  if (limitPerUser === null) return false
  const mine = and(
    eq(voucherRedemptions.voucherId, id),
    eq(voucherRedemptions.userId, userId),
    isNull(voucherRedemptions.releasedAt),
  )
  const [used] = await executor.select({ times: count() }).from(voucherRedemptions).where(mine)
  return (used?.times ?? 0) >= limitPerUser
}

async function requireUsable(executor: Executor, voucher: Voucher | undefined, use: Use): Promise<Voucher> {
  const { now, userId, withPackage } = use
  if (!voucher?.active) throw appError('voucher.invalid')
  if (voucher.validFrom && voucher.validFrom > now) throw appError('voucher.invalid')
  if (voucher.validUntil && voucher.validUntil <= now) throw appError('voucher.invalid')
  if (!withPackage && voucher.kind !== 'free_credits') {
    throw appError('voucher.invalid', { details: { voucherCode: 'voucher.needsPackage' } })
  }
  if (await limitReached(executor, voucher, userId)) throw appError('voucher.invalid')
  // Staff must not redeem a voucher that they created or changed.
  if (await hasActed(executor, voucherSubject(voucher.id), userId))
    throw appError('voucher.invalid', { details: { voucherCode: 'voucher.own' } })
  return voucher
}

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
