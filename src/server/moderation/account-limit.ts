import { createHmac } from 'node:crypto'
import { and, desc, eq, gt, isNull, lt } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import { audit } from '#server/audit/audit.ts'
import { users } from '#server/auth/table.ts'
import type { Executor, Transaction } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import type { RefusalKind } from '#shared/moderation.ts'
import { addTime } from '#shared/time.ts'
import { accountLimits, contentRefusals } from './table.ts'

export const isRunning = (now: Date) => and(gt(accountLimits.until, now), isNull(accountLimits.endedAt))

/** The limit that lasts longest. */
async function runningLimit(executor: Executor, userId: string, now: Date) {
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
  const until = addTime(now, { hours })
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

interface Refused {
  userId: string
  tool: string
  kind: RefusalKind
  /** Words, or hashes of the pictures: the same content counts once. */
  content: string
}

/** Different refused contents within the window limit the account, until its end by itself. */
export async function recordRefusal(
  tx: Transaction,
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  { userId, tool, kind, content }: Refused,
): Promise<void> {
  const now = clock()
  // Serializes refusals of the user, so that concurrent ones do not limit the account twice.
  const [user] = await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')
  if (!user) return
  const key = `refused content: ${userId}: ${kind}: ${content}`
  const contentHash = createHmac('sha256', config.jwtSecret).update(key).digest('base64url')
  const added = await tx
    .insert(contentRefusals)
    .values({ userId, contentHash, kind, tool, createdAt: now })
    .onConflictDoNothing()
    .returning({ userId: contentRefusals.userId })
  const { refusals, windowHours, limitHours } = config.moderation
  if (added.length === 0 || refusals === null) return
  const since = addTime(now, { hours: -windowHours })
  const counted = and(eq(contentRefusals.userId, userId), gt(contentRefusals.createdAt, since))
  if ((await tx.$count(contentRefusals, counted)) < refusals || (await runningLimit(tx, userId, now))) return
  await limitAccount(tx, { userId, hours: limitHours, reason: null, by: null, now })
}

const keptDays = 30

export async function deleteOldRefusals({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const before = addTime(clock(), { days: -keptDays })
  await db.delete(contentRefusals).where(lt(contentRefusals.createdAt, before))
}
