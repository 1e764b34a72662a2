import { and, asc, eq, gt, inArray, sql, sum } from 'drizzle-orm'
import type { Executor, Transaction } from '#server/db/database.ts'
import { lowShare } from '../rules.ts'
import type { CreditBalance } from '../schemas.ts'
import type { Charged } from './charge.ts'
import { creditAccounts, creditLots, ledgerEntries } from './table.ts'

export async function creditBalance(executor: Executor, userId: string, now: Date): Promise<CreditBalance> {
  const [account] = await executor.select().from(creditAccounts).where(eq(creditAccounts.userId, userId))
  const open = await executor
    .select({ remaining: creditLots.remaining, expiresAt: creditLots.expiresAt, source: creditLots.source })
    .from(creditLots)
    .where(and(eq(creditLots.userId, userId), gt(creditLots.remaining, 0), gt(creditLots.expiresAt, now)))
    .orderBy(asc(creditLots.expiresAt), asc(creditLots.id))
  const [given] = await executor
    .select({ total: sum(creditLots.amount) })
    .from(creditLots)
    .where(and(eq(creditLots.userId, userId), gt(creditLots.expiresAt, now)))
  const unlimitedUntil = account?.unlimitedUntil ?? null
  return {
    credits: open.reduce((sum, lot) => sum + lot.remaining, 0),
    given: Number(given?.total ?? 0),
    unlimitedUntil: unlimitedUntil && unlimitedUntil > now ? unlimitedUntil.toISOString() : null,
    grants: open.map((lot) => ({ ...lot, expiresAt: lot.expiresAt.toISOString() })),
    welcomeRefused: account?.welcomeRefused ?? null,
    updatedAt: (account?.updatedAt ?? now).toISOString(),
  }
}

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
