import { randomInt } from 'node:crypto'
import { and, between, eq } from 'drizzle-orm'
import type { Transaction } from '#server/db/database.ts'
import { advisoryLock } from '#server/db/locks.ts'
import { isOpen, orders } from '../tables/orders.ts'

const maxDigits = 999

/**
 * Rupiah to deduct so that no other open order has the same total and the bank statement identifies
 * the order. 0 if the price is too small, or all amounts are taken.
 */
export async function uniqueTransferDigits(tx: Transaction, priceIdr: number): Promise<number> {
  if (priceIdr <= 10 * maxDigits) return 0
  await advisoryLock(tx, 'transfer-digits')
  const open = await tx
    .select({ idr: orders.totalIdr })
    .from(orders)
    .where(and(isOpen(orders), eq(orders.driver, 'manual'), between(orders.totalIdr, priceIdr - maxDigits, priceIdr)))
  const taken = new Set(open.map(({ idr }) => priceIdr - idr))
  const free = Array.from({ length: maxDigits }, (_, index) => index + 1).filter((digits) => !taken.has(digits))
  return free.length > 0 ? (free[randomInt(free.length)] ?? 0) : 0
}
