import { eq } from 'drizzle-orm'
import type { Transaction } from '#server/db/database.ts'
import { publish } from '#server/notify.ts'
import { addTime } from '#shared/time.ts'
import type { LedgerKind, LotSource } from '../rules.ts'
import { lockAccount } from './lock-account.ts'
import { creditAccounts, creditLots, ledgerEntries, lotMoves } from './table.ts'

interface NewLot {
  userId: string
  kind: Extract<LedgerKind, 'purchase' | 'voucher' | 'welcome' | 'adjustment'>
  source: LotSource
  /** Greater than 0. */
  amount: number
  expiresAt: Date
  /** Names the event; a second lot with the same key is not added. */
  uniqueKey: string
  subjectId?: string
  note?: string
  now: Date
}

/** Returns false when this event was applied before. */
export async function grant(tx: Transaction, given: NewLot): Promise<boolean> {
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
  const lotId = crypto.randomUUID()
  await tx.insert(creditLots).values({
    id: lotId,
    userId,
    source: given.source,
    amount,
    remaining: amount,
    createdAt: now,
    expiresAt: given.expiresAt,
    orderId: given.kind === 'purchase' || given.kind === 'voucher' ? (given.subjectId ?? null) : null,
  })
  await tx.insert(lotMoves).values({ entryId: entry.id, lotId, amount })
  await tx
    .update(creditAccounts)
    .set({ balance: account.balance + amount, updatedAt: now })
    .where(eq(creditAccounts.userId, userId))
  await publish(tx, { kind: 'credits', userId })
  return true
}

interface UnlimitedDays {
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
    .set({ unlimitedUntil: addTime(from, { days: given.days }), updatedAt: now })
    .where(eq(creditAccounts.userId, userId))
  await publish(tx, { kind: 'credits', userId })
  return true
}
