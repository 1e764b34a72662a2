import { sql } from 'drizzle-orm'
import type { Executor } from '#server/db/database.ts'

/** A place where the books don't agree. */
export interface BooksProblem {
  what: 'account' | 'grant' | 'entry' | 'balance_after' | 'unpaid_generation' | 'unrefunded_generation'
  id: string
  expected: number
  found: number
}

/**
 * Checks the books: an account's balance = the sum of its ledger = the sum of what remains in its grants; what remains in a grant = the sum of its
 * moves; an entry's amount = the sum of its moves; each entry's balance after = the running sum; every generation has its charge, and every failed or
 * cancelled one, and every one whose claim was accepted, its refund. Empty when all is well.
 */
export async function auditBooks(executor: Executor): Promise<BooksProblem[]> {
  const result = await executor.execute(sql`
    with ledger as (select user_id, sum(amount)::int as total from ledger_entries group by user_id),
    lots as (select user_id, sum(remaining)::int as total from credit_grants group by user_id),
    by_grant as (select grant_id, sum(amount)::int as total from credit_grant_moves group by grant_id),
    by_entry as (select entry_id, sum(amount)::int as total from credit_grant_moves group by entry_id),
    running as (select id, balance_after, sum(amount) over (partition by user_id order by id)::int as total from ledger_entries),
    charges as (select subject_id, -amount as credits from ledger_entries where kind = 'generation'),
    refunds as (select subject_id, amount as credits from ledger_entries where kind = 'refund')
    select 'account' as what, a.user_id::text as id, a.balance as expected, coalesce(ledger.total, 0) as found
      from credit_accounts a left join ledger using (user_id) where a.balance <> coalesce(ledger.total, 0)
    union all select 'account', a.user_id::text, a.balance, coalesce(lots.total, 0)
      from credit_accounts a left join lots using (user_id) where a.balance <> coalesce(lots.total, 0)
    union all select 'grant', g.id::text, g.remaining, coalesce(m.total, 0)
      from credit_grants g left join by_grant m on m.grant_id = g.id where g.remaining <> coalesce(m.total, 0)
    union all select 'entry', e.id::text, e.amount, coalesce(m.total, 0)
      from ledger_entries e left join by_entry m on m.entry_id = e.id where e.amount <> coalesce(m.total, 0)
    union all select 'balance_after', id::text, total, balance_after from running where total <> balance_after
    union all select 'unpaid_generation', g.id::text, g.credits, coalesce(c.credits, -1)
      from generations g left join charges c on c.subject_id = g.id where g.credits is distinct from c.credits
    union all select 'unrefunded_generation', g.id::text,
      case when g.status in ('failed', 'cancelled') or claim.status = 'refunded' then g.credits else 0 end, coalesce(r.credits, 0)
      from generations g left join refunds r on r.subject_id = g.id left join generation_claims claim on claim.generation_id = g.id
      where coalesce(r.credits, 0) <> case when g.status in ('failed', 'cancelled') or claim.status = 'refunded' then g.credits else 0 end
    union all select 'unpaid_generation', c.subject_id::text, 0, c.credits
      from charges c left join generations g on g.id = c.subject_id where g.id is null`)
  return (result as unknown as { rows: BooksProblem[] }).rows
}
