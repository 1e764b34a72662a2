import type { Executor, Transaction } from '#server/db/database.ts'
import { creditAccounts } from './table.ts'

/**
 * Plain SQL, so that the whole change of an account is one round trip; parameters are `$1`, `$2` …,
 * cast where they are used.
 */
export function statement<Row>(text: string) {
  return async (executor: Executor, params: readonly (string | number | boolean | null)[]): Promise<Row[]> => {
    const prepared = executor._.session.prepareQuery({ sql: text, params: [...params] }, undefined, undefined, false)
    const result = (await prepared.execute()) as unknown as { rows: Row[] }
    return result.rows
  }
}

const expire = statement<{ balance: number }>(
  // A lot refunded after its expiry expires once more, so its key contains the number of its moves.
  `with stale as (
     select id, remaining, sum(remaining) over (order by expires_at, id) as gone, sum(remaining) over () as total,
       (select count(*) from credit_grant_moves m where m.grant_id = credit_grants.id) as moves
     from credit_grants where user_id = $1::uuid and remaining > 0 and expires_at <= $2::timestamptz
   ), account as (
     update credit_accounts set balance = balance - coalesce((select sum(remaining) from stale), 0), updated_at = $2::timestamptz
     where user_id = $1::uuid returning balance
   ), emptied as (
     update credit_grants g set remaining = 0 from stale where g.id = stale.id
   ), entries as (
     insert into ledger_entries (user_id, kind, amount, balance_after, unique_key, subject_id, created_at)
     select $1::uuid, 'expiry', -stale.remaining, account.balance + stale.total - stale.gone, 'expiry:' || stale.id || ':' || stale.moves, stale.id, $2::timestamptz
     from stale, account order by stale.gone
     returning id, subject_id
   ), moves as (
     insert into credit_grant_moves (entry_id, grant_id, amount)
     select entries.id, stale.id, -stale.remaining from entries join stale on stale.id = entries.subject_id
   )
   select balance from account`,
)

/** Writes one entry a lot and returns the balance. The account must be locked. */
async function expireLots(tx: Transaction, userId: string, now: Date): Promise<number> {
  const [row] = await expire(tx, [userId, now.toISOString()])
  return row?.balance ?? 0
}

/** Every movement of credits locks the account until the transaction ends. */
interface LockedAccount {
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
