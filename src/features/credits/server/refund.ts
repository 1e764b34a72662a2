import { and, eq, sql } from 'drizzle-orm'
import type { Transaction } from '#server/db/database.ts'
import { publish } from '#server/notify.ts'
import { refundMinDays } from '../contract.ts'
import { daysAfter } from './days.ts'
import { lockAccount } from './lock-account.ts'
import { creditAccounts, grantMoves, grants, ledgerEntries } from './table.ts'

/**
 * Gives back what a generation cost, to the lots it was taken from; what came from lots that end within a week comes back as a lot of its own that
 * lasts a week. Answers with the credits given back: 0 when nothing was taken or it was given back before.
 */
export async function refund(
  tx: Transaction,
  { userId, generationId, now }: { userId: string; generationId: string; now: Date },
): Promise<number> {
  const account = await lockAccount(tx, userId, now)
  const [charged] = await tx
    .select({ id: ledgerEntries.id, amount: ledgerEntries.amount, price: ledgerEntries.price })
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.uniqueKey, `generation:${generationId}`), eq(ledgerEntries.userId, userId)))
  const credits = -(charged?.amount ?? 0)
  if (!charged || credits === 0) return 0
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

  const taken = await tx
    .select({ grantId: grantMoves.grantId, amount: grantMoves.amount, expiresAt: grants.expiresAt })
    .from(grantMoves)
    .innerJoin(grants, eq(grants.id, grantMoves.grantId))
    .where(eq(grantMoves.entryId, charged.id))
  const lasting = daysAfter(now, refundMinDays)
  const moves: { entryId: number; grantId: string; amount: number }[] = []
  let rest = credits
  for (const { grantId, amount, expiresAt } of taken) {
    if (expiresAt < lasting) continue
    await tx
      .update(grants)
      .set({ remaining: sql`${grants.remaining} + ${-amount}` })
      .where(eq(grants.id, grantId))
    moves.push({ entryId: entry.id, grantId, amount: -amount })
    rest += amount
  }
  if (rest > 0) {
    const grantId = crypto.randomUUID()
    await tx.insert(grants).values({
      id: grantId,
      userId,
      source: 'refund',
      amount: rest,
      remaining: rest,
      createdAt: now,
      expiresAt: lasting,
    })
    moves.push({ entryId: entry.id, grantId, amount: rest })
  }
  await tx.insert(grantMoves).values(moves)
  await tx
    .update(creditAccounts)
    .set({ balance: account.balance + credits, updatedAt: now })
    .where(eq(creditAccounts.userId, userId))
  await publish(tx, { kind: 'credits', userId })
  return credits
}
