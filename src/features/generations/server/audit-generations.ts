import { sql } from 'drizzle-orm'
import { ledgerEntries } from '#features/credits/server/table.ts'
import { type Executor, rows } from '#server/db/database.ts'
import { generations, refundRequests } from './table.ts'

/** Amounts are in credits. */
interface GenerationProblem extends Record<string, unknown> {
  what: 'unpaid_generation' | 'unrefunded_generation'
  id: string
  expected: number
  found: number
  userId: string
}

/**
 * Each generation needs its charge; each failed or cancelled one, or one with an accepted refund
 * request, needs its refund. Reads only generations with entries after `afterEntry`.
 */
export async function auditGenerations(
  executor: Executor,
  accounts: string[],
  { afterEntry }: { afterEntry: number },
): Promise<GenerationProblem[]> {
  return await rows<GenerationProblem>(
    executor,
    sql`
    with chosen as (
      select user_id from unnest(${sql.param(accounts)}::uuid[]) as who (user_id)
    ), entries as (
      select e.id, e.user_id, e.kind, e.amount, e.subject_id
      from chosen join ${ledgerEntries} e using (user_id) where e.id > ${afterEntry}
    ), used as (
      select g.id, g.user_id, g.credits, g.status,
        (select -e.amount from ${ledgerEntries} e where e.unique_key = 'generation:' || g.id) as charged,
        coalesce((select e.amount from ${ledgerEntries} e where e.unique_key = 'refund:' || g.id), 0) as refunded,
        exists (select from ${refundRequests} r where r.generation_id = g.id and r.status = 'refunded') as accepted
      from chosen join ${generations} g using (user_id)
      where ${afterEntry} = 0 or g.id in (select subject_id from entries)
    ), due as (
      select *, case when status in ('failed', 'cancelled') or accepted then credits else 0 end as owed from used
    )
    select 'unpaid_generation' as what, id::text as id, credits as expected, coalesce(charged, -1) as found,
        user_id as "userId"
      from due where credits is distinct from charged
    union all select 'unrefunded_generation', id::text, owed, refunded, user_id from due where owed <> refunded
    union all select 'unpaid_generation', e.subject_id::text, 0, -e.amount, e.user_id
      from entries e left join ${generations} g on g.id = e.subject_id where e.kind = 'generation' and g.id is null`,
  )
}
