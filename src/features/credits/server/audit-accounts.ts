import { sql } from 'drizzle-orm'
import { type Executor, rows } from '#server/db/database.ts'
import { accountProofs, creditAccounts, creditLots, ledgerEntries, lotMoves } from './table.ts'

export interface LedgerProblem {
  what: 'account' | 'grant' | 'entry' | 'balance_after'
  id: string
  expected: number
  found: number
  userId: string
}

const batchSize = 200
/** Up to this many later entries are read again rather than renewing the proof. */
const entriesBeyondProof = 20

/**
 * Balance = sum of the ledger = sum of the remaining lots; remaining lot = sum of its moves; entry
 * = sum of its moves; balance after = running sum. Skips proven entries, unless the check starts
 * from the first. Empty when consistent.
 */
export async function auditAccounts(
  executor: Executor,
  accounts: string[],
  { fromFirstEntry, now }: { fromFirstEntry: boolean; now: Date },
): Promise<LedgerProblem[]> {
  const problems: LedgerProblem[] = []
  for (let start = 0; start < accounts.length; start += batchSize) {
    problems.push(...(await auditBatch(executor, accounts.slice(start, start + batchSize), fromFirstEntry, now)))
  }
  return problems
}

type Row = Omit<LedgerProblem, 'what'> & { what: LedgerProblem['what'] | 'proven' } & Record<string, unknown>

async function auditBatch(executor: Executor, accounts: string[], fromFirstEntry: boolean, now: Date) {
  // A single statement, for a consistent snapshot while users keep spending.
  const found = await rows<Row>(
    executor,
    sql`
    with chosen as (
      select who.user_id, coalesce(a.balance, 0) as balance, coalesce(p.entry_id, 0) as entry_id,
        coalesce(p.balance, 0) as proven
      from unnest(${sql.param(accounts)}::uuid[]) as who (user_id)
      left join ${creditAccounts} a on a.user_id = who.user_id
      left join ${accountProofs} p on p.user_id = who.user_id and not ${fromFirstEntry}::boolean
    ), entries as (
      select e.id, e.user_id, e.amount, e.balance_after,
        c.proven + sum(e.amount) over (partition by e.user_id order by e.id) as running,
        row_number() over (partition by e.user_id order by e.id) as nth
      from chosen c join ${ledgerEntries} e on e.user_id = c.user_id and e.id > c.entry_id
    ), last as (
      select distinct on (user_id) user_id, id, running, nth from entries order by user_id, id desc
    ), lots as (
      select c.user_id, coalesce(sum(g.remaining), 0) as total
      from chosen c left join ${creditLots} g on g.user_id = c.user_id and g.remaining > 0 group by c.user_id
    ), moves as (
      select e.id, e.user_id, m.grant_id, m.amount from entries e join ${lotMoves} m on m.entry_id = e.id
    ), by_entry as (
      select id, sum(amount) as total from moves group by id
    ), touched as (
      select distinct grant_id as id from moves
      union select g.id from chosen c join ${creditLots} g on g.user_id = c.user_id and g.remaining > 0
    )
    select 'account' as what, c.user_id::text as id, c.balance as expected,
        coalesce(l.running, c.proven)::int as found, c.user_id as "userId"
      from chosen c left join last l using (user_id) where c.balance <> coalesce(l.running, c.proven)
    union all select 'account', c.user_id::text, c.balance, lots.total::int, c.user_id
      from chosen c join lots using (user_id) where c.balance <> lots.total
    union all select 'grant', g.id::text, g.remaining, m.total::int, g.user_id
      from touched join ${creditLots} g on g.id = touched.id
      cross join lateral (select coalesce(sum(amount), 0) as total from ${lotMoves} where grant_id = g.id) m
      where g.remaining <> m.total
    union all select 'entry', e.id::text, e.amount, coalesce(m.total, 0)::int, e.user_id
      from entries e left join by_entry m on m.id = e.id where e.amount <> coalesce(m.total, 0)
    union all select 'balance_after', e.id::text, e.running::int, e.balance_after, e.user_id
      from entries e where e.running <> e.balance_after
    union all select 'proven', l.id::text, l.nth::int, l.running::int, l.user_id from last l`,
  )
  const problems = found.flatMap(({ what, ...rest }) => (what === 'proven' ? [] : [{ what, ...rest }]))
  const wrong = new Set(problems.map(({ userId }) => userId))
  const proven = found
    .filter(({ what, userId }) => what === 'proven' && !wrong.has(userId))
    .filter(({ expected: entries }) => fromFirstEntry || entries > entriesBeyondProof)
    .map(({ id, found: balance, userId }) => ({ userId, entryId: Number(id), balance, provenAt: now }))
  if (proven.length > 0) {
    await executor
      .insert(accountProofs)
      .values(proven)
      .onConflictDoUpdate({
        target: accountProofs.userId,
        set: {
          entryId: sql`excluded.entry_id`,
          balance: sql`excluded.balance`,
          provenAt: sql`excluded.proven_at`,
        },
        setWhere: sql`${accountProofs.entryId} <> excluded.entry_id`,
      })
  }
  return problems
}
