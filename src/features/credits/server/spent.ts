import { and, eq, gt, inArray, sql } from 'drizzle-orm'
import type { Executor } from '#server/db/database.ts'
import { ledgerEntries } from './table.ts'

/** Subtracts refunds. */
export async function spentSince(executor: Executor, userId: string, since: Date): Promise<number> {
  const [found] = await executor
    .select({ spent: sql<number>`-coalesce(sum(${ledgerEntries.amount}), 0)`.mapWith(Number) })
    .from(ledgerEntries)
    .where(
      and(
        eq(ledgerEntries.userId, userId),
        inArray(ledgerEntries.kind, ['generation', 'refund']),
        gt(ledgerEntries.createdAt, since),
      ),
    )
  return Math.max(0, found?.spent ?? 0)
}
