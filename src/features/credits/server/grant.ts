import { eq } from 'drizzle-orm'
import type { Transaction } from '#server/db/database.ts'
import { publish } from '#server/notify.ts'
import type { GrantSource, LedgerKind } from '../rules.ts'
import { lockAccount } from './lock-account.ts'
import { creditAccounts, grants, ledgerEntries, lotMoves } from './table.ts'

export interface Grant {
  userId: string
  kind: Extract<LedgerKind, 'purchase' | 'voucher' | 'welcome' | 'adjustment'>
  source: GrantSource
  /** Greater than 0. */
  amount: number
  expiresAt: Date
  /** Names the event; a second grant with the same key is not applied. */
  uniqueKey: string
  subjectId?: string
  note?: string
  now: Date
}

/** Returns false when this event was applied before. */
export async function grant(tx: Transaction, given: Grant): Promise<boolean> {
  const { userId, amount, now } = given
  const account = await lockAccount(tx, userId, now)
  const [entry] = await tx
    .insert(ledgerEntries)
    .values({
      userId,
      kind: given.kind,
      amount,
      balanceAfter: account.balance + amount,
      uniqueKey: given.uniqueKey,
      subjectId: given.subjectId ?? null,
      note: given.note ?? null,
      createdAt: now,
    })
    .onConflictDoNothing({ target: ledgerEntries.uniqueKey })
    .returning({ id: ledgerEntries.id })
  if (!entry) return false
  const grantId = crypto.randomUUID()
  await tx.insert(grants).values({
    id: grantId,
    userId,
    source: given.source,
    amount,
    remaining: amount,
    createdAt: now,
    expiresAt: given.expiresAt,
    orderId: given.kind === 'purchase' || given.kind === 'voucher' ? (given.subjectId ?? null) : null,
  })
  await tx.insert(lotMoves).values({ entryId: entry.id, grantId, amount })
  await tx
    .update(creditAccounts)
    .set({ balance: account.balance + amount, updatedAt: now })
    .where(eq(creditAccounts.userId, userId))
  await publish(tx, { kind: 'credits', userId })
  return true
}
