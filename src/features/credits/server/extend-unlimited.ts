import { eq } from 'drizzle-orm'
import type { Transaction } from '#server/db/database.ts'
import { publish } from '#server/notify.ts'
import { daysAfter } from './days.ts'
import { lockAccount } from './lock-account.ts'
import { creditAccounts, ledgerEntries } from './table.ts'

export interface UnlimitedDays {
  userId: string
  days: number
  /** Names the event; a repeated key changes nothing. */
  uniqueKey: string
  subjectId: string
  note: string
  now: Date
}

/** Counts from the current end; returns false when this event was applied before. */
export async function extendUnlimited(tx: Transaction, given: UnlimitedDays): Promise<boolean> {
  const { userId, now } = given
  const account = await lockAccount(tx, userId, now)
  const [entry] = await tx
    .insert(ledgerEntries)
    .values({
      userId,
      kind: 'purchase',
      amount: 0,
      balanceAfter: account.balance,
      uniqueKey: given.uniqueKey,
      subjectId: given.subjectId,
      note: given.note,
      createdAt: now,
    })
    .onConflictDoNothing({ target: ledgerEntries.uniqueKey })
    .returning({ id: ledgerEntries.id })
  if (!entry) return false
  const from = account.unlimitedUntil && account.unlimitedUntil > now ? account.unlimitedUntil : now
  await tx
    .update(creditAccounts)
    .set({ unlimitedUntil: daysAfter(from, given.days), updatedAt: now })
    .where(eq(creditAccounts.userId, userId))
  await publish(tx, { kind: 'credits', userId })
  return true
}
