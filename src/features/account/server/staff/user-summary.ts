import { and, desc, eq, gt, isNull } from 'drizzle-orm'
import { credits } from '#features/credits/server/credits.ts'
import { deviceName } from '#server/auth/device-name.ts'
import { sessions, users } from '#server/auth/table.ts'
import type { Executor } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import type { UserSummary } from '../../admin/schemas.ts'

type Summary<Part extends keyof UserSummary> = (executor: Executor, userId: string) => Promise<Pick<UserSummary, Part>>

/** Contributed by other features. */
export interface SummarySources {
  orders: Summary<'paidOrders' | 'paidIdr'>
  generations: Summary<'generations' | 'failedGenerations' | 'lastGenerationAt' | 'refundRequests'>
}

export async function readUserSummary(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  sources: SummarySources,
  id: string,
): Promise<UserSummary> {
  const [user] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, id), isNull(users.deletedAt)))
  if (!user) throw appError('account.not_found')
  const now = clock()
  const [balance, generations, orders, open] = await Promise.all([
    credits.balance(db, id, now),
    sources.generations(db, id),
    sources.orders(db, id),
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
    ...generations,
    ...orders,
    sessions: open.map(({ id: session, userAgent, createdAt, lastSeenAt, secondFactorAt }) => ({
      id: session,
      device: deviceName(userAgent),
      createdAt: createdAt.toISOString(),
      lastSeenAt: (lastSeenAt ?? createdAt).toISOString(),
      secondFactor: secondFactorAt !== null,
    })),
  }
}
