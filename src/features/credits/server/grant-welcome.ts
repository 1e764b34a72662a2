import type { Transaction } from '#server/db/database.ts'
import { welcomeDays } from '../rules.ts'
import { daysAfter } from './days.ts'
import { grant } from './grant.ts'
import { welcomedMailboxes } from './table.ts'

/**
 * Gives the welcome credits, once a mailbox and a user however often it is called; false when they
 * were given before, when there are none to give, or where there is no mailbox to give them to.
 */
export async function grantWelcome(
  tx: Transaction,
  { userId, mailbox, amount, now }: { userId: string; mailbox: string | undefined; amount: number; now: Date },
): Promise<boolean> {
  if (amount <= 0 || mailbox === undefined) return false
  // Of two at once the second waits here until the first is certain.
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
