import { and, gt, lte } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import { publish } from '#server/notify.ts'
import { lockAccount } from './lock-account.ts'
import { creditLots } from './table.ts'

const batchSize = 200

/** Returns the number of accounts. Safe at any time and in several processes. */
export async function expireAllLots(deps: { db: Database; clock: () => Date }, signal?: AbortSignal): Promise<number> {
  const now = deps.clock()
  let touched = 0
  for (;;) {
    const accounts = await deps.db
      .selectDistinct({ userId: creditLots.userId })
      .from(creditLots)
      .where(and(gt(creditLots.remaining, 0), lte(creditLots.expiresAt, now)))
      .limit(batchSize)
    for (const { userId } of accounts) {
      signal?.throwIfAborted()
      await transact(deps.db, async (tx) => {
        await lockAccount(tx, userId, now)
        await publish(tx, { kind: 'credits', userId })
      })
    }
    touched += accounts.length
    if (accounts.length < batchSize) return touched
  }
}
