import { eq } from 'drizzle-orm'
import { users } from '#features/account/server/table.ts'
import { audit } from '#features/audit/server/audit.ts'
import type { Database, Transaction } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import { appError } from '#server/http/app-error.ts'
import { publish } from '#server/notify.ts'
import type { adjustCreditsInput } from '../schemas.ts'
import type { CreditAdjustment } from '../types.ts'
import { daysAfter } from './days.ts'
import { grant } from './grant.ts'
import { lockAccount } from './lock-account.ts'
import { statement } from './statement.ts'
import { ledgerEntries } from './table.ts'

/** Takes from the lots that expire first, as a charge does. */
const take = statement<{ id: number | string }>(
  'take_credits_back',
  `with lots as (
     select id, sum(remaining) over (order by expires_at, id) - remaining as before, remaining
     from credit_grants where user_id = $1::uuid and remaining > 0 and expires_at > $2::timestamptz
   ), takes as (
     select id, least(remaining, $3::int - before)::int as credits from lots where before < $3::int
   ), account as (
     update credit_accounts set balance = balance - $3::int, updated_at = $2::timestamptz
     where user_id = $1::uuid returning balance
   ), taken as (
     update credit_grants g set remaining = g.remaining - takes.credits from takes, account where g.id = takes.id
     returning g.id, takes.credits
   ), entry as (
     insert into ledger_entries (user_id, kind, amount, balance_after, unique_key, subject_id, note, created_at)
     select $1::uuid, 'adjustment', -$3::int, balance, $4::text, $5::uuid, $6::text, $2::timestamptz from account
     returning id
   ), moves as (
     insert into credit_grant_moves (entry_id, grant_id, amount) select entry.id, taken.id, -taken.credits from entry, taken
   )
   select id from entry`,
)

/**
 * An admin grants credits, or takes some back; a refund in credits is a grant that names its order.
 * The same key again changes nothing and returns the same entry; with another content it throws
 * `idempotency.reused`. Throws `credits.insufficient` when there is less than is to be taken.
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
      await take(tx, [userId, now.toISOString(), -amount, uniqueKey, request.orderId ?? null, request.reason])
      await publish(tx, { kind: 'credits', userId })
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
