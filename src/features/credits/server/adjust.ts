import { eq } from 'drizzle-orm'
import { users } from '#features/account/server/table.ts'
import { audit } from '#features/audit/server/audit.ts'
import type { Database, Transaction } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import { appError } from '#server/http/app-error.ts'
import type { adjustCreditsInput } from '../schemas.ts'
import type { CreditAdjustment } from '../types.ts'
import { daysAfter } from './days.ts'
import { grant } from './grant.ts'
import { lockAccount } from './lock-account.ts'
import { ledgerEntries } from './table.ts'
import { takeCredits } from './take-back.ts'

/**
 * An admin grants credits or takes some back; a refund in credits is a grant that names its order.
 * A repeated key changes nothing and returns the same entry; with other content it throws
 * `idempotency.reused`. Throws `credits.insufficient` when there are too few to take.
 */
export async function adjustCredits(
  { db, clock }: { db: Database; clock: () => Date },
  adminId: string,
  key: string,
  request: typeof adjustCreditsInput.infer,
): Promise<CreditAdjustment> {
  return await transact(db, async (tx) => {
    const { userId, amount } = request
    const [user] = await tx.select({ deletedAt: users.deletedAt }).from(users).where(eq(users.id, userId)).for('share')
    if (!user || user.deletedAt) throw appError('account.not_found')
    const now = clock()
    const account = await lockAccount(tx, userId, now)
    const uniqueKey = `adjustment:${adminId}:${key}`
    const before = await findEntry(tx, uniqueKey)
    if (before) return sameAs(before, request)
    if (amount > 0) await give(tx, request, { uniqueKey, now })
    else {
      if (account.balance < -amount) {
        throw appError('credits.insufficient', {
          details: { amount: 'credits.insufficient', balance: String(account.balance) },
        })
      }
      const { reason: note, orderId: subjectId = null } = request
      await takeCredits(tx, { userId, amount: -amount, uniqueKey, subjectId, note, now })
    }
    const entry = await findEntry(tx, uniqueKey)
    if (!entry) throw new Error('an adjustment was not written')
    await audit(tx, {
      actor: adminId,
      action: 'credits.adjusted',
      subject: { kind: 'account', id: userId },
      before: { balance: account.balance },
      after: { balance: entry.balanceAfter, entryId: entry.id },
      reason: request.reason,
      now,
    })
    return view(entry)
  })
}

type Entry = typeof ledgerEntries.$inferSelect

async function findEntry(tx: Transaction, uniqueKey: string): Promise<Entry | undefined> {
  const [entry] = await tx.select().from(ledgerEntries).where(eq(ledgerEntries.uniqueKey, uniqueKey))
  return entry
}

async function give(
  tx: Transaction,
  { userId, amount, days, reason, orderId }: typeof adjustCreditsInput.infer,
  { uniqueKey, now }: { uniqueKey: string; now: Date },
): Promise<void> {
  await grant(tx, {
    userId,
    kind: 'adjustment',
    source: 'adjustment',
    amount,
    expiresAt: daysAfter(now, days),
    uniqueKey,
    note: reason,
    ...(orderId && { subjectId: orderId }),
    now,
  })
}

function sameAs(entry: Entry, { userId, amount, reason }: typeof adjustCreditsInput.infer): CreditAdjustment {
  if (entry.userId !== userId || entry.amount !== amount || entry.note !== reason) throw appError('idempotency.reused')
  return view(entry)
}

function view({ id, userId, amount, balanceAfter, createdAt }: Entry): CreditAdjustment {
  return { entryId: id, userId, amount, balance: balanceAfter, createdAt: createdAt.toISOString() }
}
