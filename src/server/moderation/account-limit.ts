import { and, desc, eq, gt, isNull } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import { audit } from '#server/audit/audit.ts'
import type { Executor, Transaction } from '#server/db/database.ts'
import { appError } from '#server/http/app-error.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { accountLimits } from './table.ts'

export const isRunning = (now: Date) => and(gt(accountLimits.until, now), isNull(accountLimits.endedAt))

/** The limit that lasts longest. */
export async function runningLimit(executor: Executor, userId: string, now: Date) {
  const [limit] = await executor
    .select()
    .from(accountLimits)
    .where(and(eq(accountLimits.userId, userId), isRunning(now)))
    .orderBy(desc(accountLimits.until))
    .limit(1)
  return limit
}

/** For everything that makes or publishes pictures. Throws `account.limited`. */
export async function requireUnlimited(executor: Executor, userId: string, now: Date): Promise<void> {
  const limit = await runningLimit(executor, userId, now)
  if (!limit) return
  const retryAfter = (limit.until.getTime() - now.getTime()) / 1000
  throw appError('account.limited', { details: { until: limit.until.toISOString() }, retryAfter })
}

/** `by` is null for the server itself; the user gets a mail with the reason. */
export async function limitAccount(
  tx: Transaction,
  {
    userId,
    hours,
    reason,
    by,
    now,
  }: { userId: string; hours: number; reason: string | null; by: string | null; now: Date },
): Promise<void> {
  const id = uuid({ msecs: now.getTime() })
  const until = new Date(now.getTime() + hours * 3_600_000)
  await tx.insert(accountLimits).values({ id, userId, until, reason, createdAt: now, createdBy: by })
  const after = { until: until.toISOString() }
  await audit(tx, {
    actor: by,
    action: 'account.limited',
    subject: { kind: 'account', id: userId },
    after,
    reason,
    now,
  })
  const template = reason === null ? 'account_limited_refusals' : 'account_limited'
  await enqueueMail(tx, { template, userId, subjectId: id, now })
}
