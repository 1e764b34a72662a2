import { and, asc, eq, gt, sum } from 'drizzle-orm'
import type { Executor } from '#server/db/database.ts'
import type { CreditBalance } from '../schemas.ts'
import { creditAccounts, creditLots } from './table.ts'

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
