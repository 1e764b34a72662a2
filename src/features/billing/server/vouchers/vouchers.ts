import { and, count, eq, isNull, sql } from 'drizzle-orm'
import { hasActed } from '#features/audit/server/audit.ts'
import type { Executor, Transaction } from '#server/db/database.ts'
import { appError } from '#server/http/app-error.ts'
import { voucherRedemptions } from '../tables/orders.ts'
import { vouchers } from '../tables/vouchers.ts'

export type Voucher = typeof vouchers.$inferSelect

/** Of a voucher, in the audit log. */
export const about = (id: string) => ({ kind: 'voucher', id })

/** The form under which codes are stored and compared. */
export function normalizeCode(code: string): string {
  return code.trim().toUpperCase()
}

interface Use {
  code: string
  userId: string
  /** A package is bought with it; without one only free credits make sense. */
  withPackage: boolean
  now: Date
}

/**
 * The voucher, if this user can use it now; throws `voucher.invalid`. Nothing is held: an order
 * that comes later may still be refused.
 */
export async function usableVoucher(executor: Executor, use: Use): Promise<Voucher> {
  const [voucher] = await executor
    .select()
    .from(vouchers)
    .where(eq(vouchers.code, normalizeCode(use.code)))
  return await judged(executor, voucher, use)
}

/**
 * The same inside the transaction of an order, which then records the redemption: the row's lock
 * lets one order after the other count.
 */
export async function holdVoucher(tx: Transaction, use: Use): Promise<Voucher> {
  const [voucher] = await tx
    .select()
    .from(vouchers)
    .where(eq(vouchers.code, normalizeCode(use.code)))
    .for('update')
  return await judged(tx, voucher, use)
}

/** Whether a voucher's limits leave no use for this person; the voucher is held, as by an order. */
export async function isUsedUp(tx: Transaction, voucherId: string, userId: string): Promise<boolean> {
  const [voucher] = await tx.select().from(vouchers).where(eq(vouchers.id, voucherId)).for('update')
  return voucher !== undefined && (await limitReached(tx, voucher, userId))
}

/** Changes how often a held voucher has been used. */
export async function countUse(tx: Transaction, voucherId: string, by: 1 | -1): Promise<void> {
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

async function judged(executor: Executor, voucher: Voucher | undefined, use: Use): Promise<Voucher> {
  const { now, userId, withPackage } = use
  if (!voucher?.active) throw appError('voucher.invalid')
  if (voucher.validFrom && voucher.validFrom > now) throw appError('voucher.invalid')
  if (voucher.validUntil && voucher.validUntil <= now) throw appError('voucher.invalid')
  if (!withPackage && voucher.kind !== 'free_credits') {
    throw appError('voucher.invalid', { details: { voucherCode: 'voucher.needsPackage' } })
  }
  if (await limitReached(executor, voucher, userId)) throw appError('voucher.invalid')
  // Staff do not redeem what they have made, or have changed since.
  if (await hasActed(executor, about(voucher.id), userId))
    throw appError('voucher.invalid', { details: { voucherCode: 'voucher.own' } })
  return voucher
}
