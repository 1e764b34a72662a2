import { and, asc, eq, gt, sum } from 'drizzle-orm'
import type { Executor } from '#server/db/database.ts'
import type { CreditBalance } from '../schemas.ts'
import { creditAccounts, grants } from './table.ts'

export async function creditBalance(executor: Executor, userId: string, now: Date): Promise<CreditBalance> {
  const [account] = await executor.select().from(creditAccounts).where(eq(creditAccounts.userId, userId))
  const open = await executor
    .select({ remaining: grants.remaining, expiresAt: grants.expiresAt, source: grants.source })
    .from(grants)
    .where(and(eq(grants.userId, userId), gt(grants.remaining, 0), gt(grants.expiresAt, now)))
    .orderBy(asc(grants.expiresAt), asc(grants.id))
  const [given] = await executor
    .select({ total: sum(grants.amount) })
    .from(grants)
    .where(and(eq(grants.userId, userId), gt(grants.expiresAt, now)))
  const unlimitedUntil = account?.unlimitedUntil ?? null
  return {
    credits: open.reduce((sum, grant) => sum + grant.remaining, 0),
    given: Number(given?.total ?? 0),
    unlimitedUntil: unlimitedUntil && unlimitedUntil > now ? unlimitedUntil.toISOString() : null,
    grants: open.map((grant) => ({ ...grant, expiresAt: grant.expiresAt.toISOString() })),
    welcomeRefused: account?.welcomeRefused ?? null,
    updatedAt: (account?.updatedAt ?? now).toISOString(),
  }
}
