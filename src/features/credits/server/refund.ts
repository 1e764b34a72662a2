import { eq, inArray, sql } from 'drizzle-orm'
import type { Transaction } from '#server/db/database.ts'
import { publish } from '#server/notify.ts'
import { addTime } from '#shared/time.ts'
import { refundMinDays } from '../rules.ts'
import { lockAccount } from './lock-account.ts'
import { creditAccounts, creditLots, ledgerEntries, lotMoves } from './table.ts'

/**
 * Refills the lots, which keep their expiry. A lot that expires within a week is extended once, by
 * a new lot for a week, so that credits cannot be kept for ever by cancelling. Returns the refunded
 * credits: 0 when nothing was taken or it was refunded before.
 */
export async function refund(
  tx: Transaction,
  { userId, generationId, now }: { userId: string; generationId: string; now: Date },
): Promise<number> {
  const account = await lockAccount(tx, userId, now)
  const [charged] = await tx
    .select({
      id: ledgerEntries.id,
      amount: ledgerEntries.amount,
      price: ledgerEntries.price,
      userId: ledgerEntries.userId,
    })
    .from(ledgerEntries)
    .where(eq(ledgerEntries.uniqueKey, `generation:${generationId}`))
  const credits = -(charged?.amount ?? 0)
  if (charged?.userId !== userId || credits === 0) return 0
  const [entry] = await tx
    .insert(ledgerEntries)
    .values({
      userId,
      kind: 'refund',
      amount: credits,
      balanceAfter: account.balance + credits,
      uniqueKey: `refund:${generationId}`,
      subjectId: generationId,
      price: charged.price,
      createdAt: now,
    })
    .onConflictDoNothing({ target: ledgerEntries.uniqueKey })
    .returning({ id: ledgerEntries.id })
  if (!entry) return 0

  const moves = new Map<string, number>()
  for (const { lot, amount } of await lotsToRefill(tx, charged.id, userId, now)) {
    moves.set(lot, (moves.get(lot) ?? 0) + amount)
  }
  for (const [lot, amount] of moves) {
    await tx
      .update(creditLots)
      .set({
        remaining: sql`${creditLots.remaining} + ${amount}`,
        // Only a lot that extends another one can exceed its initial amount.
        amount: sql`greatest(${creditLots.amount}, ${creditLots.remaining} + ${amount})`,
      })
      .where(eq(creditLots.id, lot))
  }
  await tx.insert(lotMoves).values([...moves].map(([lotId, amount]) => ({ entryId: entry.id, lotId, amount })))
  await tx
    .update(creditAccounts)
    .set({ balance: account.balance + credits, updatedAt: now })
    .where(eq(creditAccounts.userId, userId))
  await publish(tx, { kind: 'credits', userId })
  return credits
}

async function lotsToRefill(tx: Transaction, entryId: number, userId: string, now: Date) {
  const taken = await tx
    .select({
      lot: creditLots.id,
      amount: sql<number>`-${lotMoves.amount}`.mapWith(Number),
      expiresAt: creditLots.expiresAt,
      source: creditLots.source,
    })
    .from(lotMoves)
    .innerJoin(creditLots, eq(creditLots.id, lotMoves.lotId))
    .where(eq(lotMoves.entryId, entryId))
  const lasting = addTime(now, { days: refundMinDays })
  const isEnding = (lot: (typeof taken)[number]) => lot.expiresAt < lasting && lot.source !== 'refund'
  const lengthened = await extendOnce(
    tx,
    taken.filter(isEnding).map(({ lot }) => lot),
    { userId, createdAt: now, expiresAt: lasting },
  )
  return taken.map((lot) => ({ lot: lengthened.get(lot.lot) ?? lot.lot, amount: lot.amount }))
}

async function extendOnce(
  tx: Transaction,
  lots: string[],
  fresh: { userId: string; createdAt: Date; expiresAt: Date },
): Promise<Map<string, string>> {
  if (lots.length === 0) return new Map()
  await tx
    .insert(creditLots)
    .values(
      lots.map((lengthens) => ({
        ...fresh,
        id: crypto.randomUUID(),
        source: 'refund' as const,
        amount: 0,
        remaining: 0,
        lengthens,
      })),
    )
    .onConflictDoNothing({ target: creditLots.lengthens })
  const found = await tx
    .select({ id: creditLots.id, lengthens: creditLots.lengthens })
    .from(creditLots)
    .where(inArray(creditLots.lengthens, lots))
  return new Map(found.flatMap(({ id, lengthens }) => (lengthens === null ? [] : [[lengthens, id]])))
}
