import { and, eq, gt, sum } from 'drizzle-orm'
import type { Transaction } from '#server/db/database.ts'
import { lowShare } from '../rules.ts'
import type { Charged } from './charge.ts'
import { grants } from './table.ts'

export async function fallsBelowLowMark(tx: Transaction, charged: Charged, now: Date): Promise<boolean> {
  const { userId, credits, balance } = charged
  if (credits === 0) return false
  const [given] = await tx
    .select({ total: sum(grants.amount) })
    .from(grants)
    .where(and(eq(grants.userId, userId), gt(grants.expiresAt, now)))
  const bound = Number(given?.total ?? 0) * lowShare
  return balance <= bound && balance + credits > bound
}
