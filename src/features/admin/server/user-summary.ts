import { and, count, desc, eq, gt, isNull, max, not, sql, sum } from 'drizzle-orm'
import { orders } from '#features/billing/server/tables/orders.ts'
import { credits } from '#features/credits/server/credits.ts'
import { generations, isRunAgain, refundRequests } from '#features/generations/server/table.ts'
import { deviceName } from '#server/auth/device-name.ts'
import { sessions, users } from '#server/auth/table.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import type { UserSummary } from '../schemas.ts'

const paid = 2

/** Contains nothing of the pictures. */
export async function readUserSummary({ db, clock }: Pick<Deps, 'db' | 'clock'>, id: string): Promise<UserSummary> {
  const [user] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, id), isNull(users.deletedAt)))
  if (!user) throw appError('account.not_found')
  const now = clock()
  const [balance, [generationCounts], [bought], [requested], open] = await Promise.all([
    credits.balance(db, id, now),
    db
      .select({
        all: count(),
        failed: sql<string>`count(*) filter (where ${generations.status} = 'failed')`,
        last: max(generations.createdAt),
      })
      .from(generations)
      .where(eq(generations.userId, id)),
    db
      .select({ all: count(), idr: sum(orders.totalIdr) })
      .from(orders)
      .where(and(eq(orders.userId, id), eq(orders.status, paid))),
    db
      .select({ all: count() })
      .from(refundRequests)
      .where(and(eq(refundRequests.userId, id), not(isRunAgain))),
    db
      .select()
      .from(sessions)
      .where(and(eq(sessions.userId, id), isNull(sessions.revokedAt), gt(sessions.expiresAt, now)))
      .orderBy(desc(sessions.createdAt))
      .limit(20),
  ])
  return {
    credits: balance.credits,
    unlimitedUntil: balance.unlimitedUntil,
    generations: generationCounts?.all ?? 0,
    failedGenerations: Number(generationCounts?.failed ?? 0),
    lastGenerationAt: generationCounts?.last?.toISOString() ?? null,
    paidOrders: bought?.all ?? 0,
    paidIdr: Number(bought?.idr ?? 0),
    refundRequests: requested?.all ?? 0,
    sessions: open.map(({ id: session, userAgent, createdAt, lastSeenAt, secondFactorAt }) => ({
      id: session,
      device: deviceName(userAgent),
      createdAt: createdAt.toISOString(),
      lastSeenAt: (lastSeenAt ?? createdAt).toISOString(),
      secondFactor: secondFactorAt !== null,
    })),
  }
}
