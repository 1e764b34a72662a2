import type { Transaction } from '#server/db/database.ts'
import { welcomeDays } from '../rules.ts'
import { daysAfter } from './days.ts'
import { grant } from './grant.ts'

/**
 * Gives the welcome credits, once a user however often it is called; false when they were given
 * before or there are none to give.
 */
export async function grantWelcome(
  tx: Transaction,
  { userId, amount, now }: { userId: string; amount: number; now: Date },
): Promise<boolean> {
  if (amount <= 0) return false
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
