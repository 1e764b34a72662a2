import { and, gt, inArray, lte } from 'drizzle-orm'
import { reminderDays } from '#features/credits/rules.ts'
import { creditAccounts, creditLots } from '#features/credits/server/table.ts'
import { push } from '#features/push/server/push.ts'
import { transact } from '#server/db/transact.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { addTime } from '#shared/time.ts'
import type { BillingDeps } from '../deps.ts'
import { expiryReminders } from '../tables/checks.ts'

const batch = 500

/**
 * Reminds of credits or unlimited days that expire within three days: once each, in one mail a
 * user.
 */
export async function remindOfExpiry(deps: BillingDeps): Promise<number> {
  const now = deps.clock()
  const until = addTime(now, { days: reminderDays })
  const endsByUser = new Map<string, string[]>()
  for (const { key, userId } of [...(await endingLots(deps, now, until)), ...(await endingDays(deps, now, until))]) {
    endsByUser.set(userId, [...(endsByUser.get(userId) ?? []), key])
  }
  let mails = 0
  for (const [userId, keys] of endsByUser) {
    const isReminded = await transact(deps.db, async (tx) => {
      const fresh = await tx
        .insert(expiryReminders)
        .values(keys.map((key) => ({ key, userId, createdAt: now })))
        .onConflictDoNothing()
        .returning({ key: expiryReminders.key })
      if (fresh.length === 0) return false
      await push.enqueue(tx, { kind: 'credits_ending', userId, now })
      await enqueueMail(tx, { template: 'credits_expiring', userId, now })
      return true
    })
    if (isReminded) mails += 1
  }
  return mails
}

async function endingLots({ db }: BillingDeps, now: Date, until: Date) {
  const ending = await db
    .select({ id: creditLots.id, userId: creditLots.userId })
    .from(creditLots)
    .where(
      and(
        gt(creditLots.remaining, 0),
        inArray(creditLots.source, ['package', 'voucher', 'welcome']),
        gt(creditLots.expiresAt, now),
        lte(creditLots.expiresAt, until),
      ),
    )
  return await withoutReminder(
    { db },
    ending.map(({ id, userId }) => ({ key: `grant:${id}`, userId })),
  )
}

async function endingDays({ db }: BillingDeps, now: Date, until: Date) {
  const ending = await db
    .select({ userId: creditAccounts.userId, end: creditAccounts.unlimitedUntil })
    .from(creditAccounts)
    .where(and(gt(creditAccounts.unlimitedUntil, now), lte(creditAccounts.unlimitedUntil, until)))
  return await withoutReminder(
    { db },
    ending.map(({ userId, end }) => ({ key: `unlimited:${userId}:${end?.toISOString()}`, userId })),
  )
}

async function withoutReminder({ db }: Pick<BillingDeps, 'db'>, ends: { key: string; userId: string }[]) {
  const known = new Set<string>()
  for (let start = 0; start < ends.length; start += batch) {
    const keys = ends.slice(start, start + batch).map(({ key }) => key)
    const found = await db
      .select({ key: expiryReminders.key })
      .from(expiryReminders)
      .where(inArray(expiryReminders.key, keys))
    for (const { key } of found) known.add(key)
  }
  return ends.filter(({ key }) => !known.has(key))
}
