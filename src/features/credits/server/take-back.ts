import { eq, sql } from 'drizzle-orm'
import { rows, type Transaction } from '#server/db/database.ts'
import { publish } from '#server/notify.ts'
import { lockAccount, statement } from './lock-account.ts'
import { creditAccounts, creditLots, ledgerEntries, lotMoves } from './table.ts'

export interface Taken {
  userId: string
  /** Greater than 0, and at most the content of the lots. */
  amount: number
  uniqueKey: string
  subjectId: string | null
  note: string
  now: Date
}

/** By expiry, like a charge; from all lots, or those in $7. */
const take = statement<{ id: number | string }>(
  `with lots as (
     select id, sum(remaining) over (order by expires_at, id) - remaining as before, remaining
     from credit_grants where user_id = $1::uuid and remaining > 0 and expires_at > $2::timestamptz
       and ($7::uuid[] is null or id = any($7::uuid[]))
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

/** The account is locked. */
export async function takeCredits(tx: Transaction, taken: Taken, lots: string[] | null = null): Promise<void> {
  const { userId, amount, uniqueKey, subjectId, note, now } = taken
  const chosen = lots && `{${lots.join(',')}}`
  await take(tx, [userId, now.toISOString(), amount, uniqueKey, subjectId, note, chosen])
  await publish(tx, { kind: 'credits', userId })
}

/**
 * Takes only unspent credits and returns their number. `given` are the unique keys of the granting
 * entries.
 */
export async function takeBackCredits(
  tx: Transaction,
  { given, ...taken }: Taken & { given: string[] },
): Promise<number> {
  const { userId, amount, now } = taken
  await lockAccount(tx, userId, now)
  const lots = await rows<{ id: string; remaining: number }>(
    tx,
    sql`with mine as (
        select m.grant_id as id from ${ledgerEntries} e join ${lotMoves} m on m.entry_id = e.id
        where e.unique_key = any(${sql.param(given)}::text[])
      )
      select g.id, g.remaining from ${creditLots} g
      where g.user_id = ${userId} and g.remaining > 0 and (g.id in (select id from mine) or g.lengthens in (select id from mine))`,
  )
  const unspent = lots.reduce((sum, { remaining }) => sum + remaining, 0)
  const credits = Math.min(amount, unspent)
  if (credits <= 0) return 0
  await takeCredits(
    tx,
    { ...taken, amount: credits },
    lots.map(({ id }) => id),
  )
  return credits
}

/** After days were taken back; null ends the period. */
export async function resetUnlimited(
  tx: Transaction,
  { userId, until, now }: { userId: string; until: Date | null; now: Date },
): Promise<void> {
  await lockAccount(tx, userId, now)
  await tx
    .update(creditAccounts)
    .set({ unlimitedUntil: until, updatedAt: now })
    .where(eq(creditAccounts.userId, userId))
  await publish(tx, { kind: 'credits', userId })
}
