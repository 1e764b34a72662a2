import type { Transaction } from '#server/db/database.ts'
import { welcomeDays } from '../rules.ts'
import { daysAfter } from './days.ts'
import { grant } from './grant.ts'
import { welcomedMailboxes } from './table.ts'

/**
 * Grants the welcome credits once for a mailbox and user, however often it is called; false when
 * they were granted before, when the amount is 0, or without a mailbox.
 */
export async function grantWelcome(
  tx: Transaction,
  { userId, mailbox, amount, now }: { userId: string; mailbox: string | undefined; amount: number; now: Date },
): Promise<boolean> {
  if (amount <= 0 || mailbox === undefined) return false
  // A concurrent second call waits here until the first commits.
  const first = await tx
    .insert(welcomedMailboxes)
    .values({ hash: mailbox, createdAt: now })
    .onConflictDoNothing()
    .returning()
  if (first.length === 0) return false
  return grant(tx, {
    userId,
    kind: 'welcome',
    source: 'welcome',
    amount,
    expiresAt: daysAfter(now, welcomeDays),
    uniqueKey: `welcome:${userId}`,
    now,
  })
}
