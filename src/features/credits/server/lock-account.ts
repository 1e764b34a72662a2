import type { Transaction } from '#server/db/database.ts'
import { expireLots } from './expire-lots.ts'
import { statement } from './statement.ts'
import { creditAccounts } from './table.ts'

/** Every movement of credits locks the account until the transaction ends. */
export interface LockedAccount {
  userId: string
  balance: number
  unlimitedUntil: Date | null
}

export const lockStatement = `select balance, unlimited_until,
     exists (select from credit_grants where user_id = $1::uuid and remaining > 0 and expires_at <= $2::timestamptz) as stale
   from credit_accounts where user_id = $1::uuid for update`

const lock = statement<{ balance: number; unlimited_until: string | Date | null; stale: boolean }>(lockStatement)

/**
 * Creates a missing account, and removes expired credits, so that the whole balance can be spent.
 */
export async function lockAccount(tx: Transaction, userId: string, now: Date): Promise<LockedAccount> {
  const params = [userId, now.toISOString()]
  let [row] = await lock(tx, params)
  if (!row) {
    await tx.insert(creditAccounts).values({ userId, updatedAt: now }).onConflictDoNothing()
    ;[row] = await lock(tx, params)
  }
  if (!row) throw new Error('could not find or create the credit account')
  const unlimitedUntil = row.unlimited_until === null ? null : new Date(row.unlimited_until)
  return { userId, balance: row.stale ? await expireLots(tx, userId, now) : row.balance, unlimitedUntil }
}
