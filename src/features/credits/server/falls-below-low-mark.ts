import { and, eq, gt, sum } from 'drizzle-orm'
import type { Transaction } from '#server/db/database.ts'
import { lowShare } from '../rules.ts'
import type { Charged } from './charge.ts'
import { creditLots } from './table.ts'

export async function fallsBelowLowMark(tx: Transaction, charged: Charged, now: Date): Promise<boolean> {
  const { userId, credits, balance } = charged
  if (credits === 0) return false
  const [given] = await tx
    .select({ total: sum(creditLots.amount) })
    .from(creditLots)
    .where(and(eq(creditLots.userId, userId), gt(creditLots.expiresAt, now)))
  const bound = Number(given?.total ?? 0) * lowShare
  return balance <= bound && balance + credits > bound
}
