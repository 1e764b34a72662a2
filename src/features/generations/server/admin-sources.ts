import { and, count, desc, eq, max, not, type SQL, sql } from 'drizzle-orm'
import { ledgerEntries } from '#features/credits/server/table.ts'
import { users } from '#server/auth/table.ts'
import { type Executor, rows } from '#server/db/database.ts'
import { dayOf, isDuring, type Moments } from '#server/db/days.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { translate } from '#server/i18n.ts'
import type { Language } from '#shared/language.ts'
import { findTool } from '#tools/contract/tool.ts'
import type { Failures } from '../schemas.ts'
import { generationFiles, generations, isRunAgain, providerJobs, refundRequests } from './table.ts'

const { createdAt, startedAt, finishedAt, status } = generations

export const openCounts = {
  queued: { count: () => sql`select count(*) from ${generations} where ${status} = 'queued'` },
  running: { count: () => sql`select count(*) from ${generations} where ${status} in ('detecting', 'generating')` },
  refundRequests: {
    count: () => sql`select count(*) from ${refundRequests} where ${refundRequests.status} = 'waiting'`,
    notice: 'refunds',
  },
} as const

/** Includes `seconds`, the duration of an ended generation. */
export const generationsDuring = (moments: Moments): SQL => sql`
  select ${dayOf(createdAt)} as day, ${generations.userId} as user_id, ${generations.tool} as tool, ${status} as status,
    extract(epoch from ${finishedAt} - ${startedAt})::float8 as seconds
  from ${generations} where ${isDuring(createdAt, moments)}`

const ofGeneration = sql`from ${providerJobs} where ${providerJobs.generationId} = ${generations.id}`
const failed = sql`(select string_agg(${providerJobs.provider} || ': ' || ${providerJobs.error}, '; ')
  ${ofGeneration} and ${providerJobs.error} is not null)`

export const generationTimeline = (userId: string) =>
  [
    {
      kind: 'run',
      columns: {
        at: sql`${createdAt}`,
        what: sql`${generations.tool}`,
        state: sql`${status}`,
        subject: sql`${generations.id}`,
        code: sql`${generations.errorCode}`,
        again: sql`${status} = 'failed' and ${hasStoredInput}`,
        technical: sql`concat_ws(' · ', ${generations.provider}, nullif(${generations.attempts}, 0) || '×', ${failed})`,
        seconds: sql`extract(epoch from ${finishedAt} - ${startedAt})`,
        usd: sql`(select sum(${providerJobs.cost}) ${ofGeneration})`,
      },
      rows: sql`${generations} where ${generations.userId} = ${userId}`,
    },
    {
      kind: 'claim',
      columns: {
        at: sql`${refundRequests.createdAt}`,
        what: sql`'claim'`,
        detail: sql`${refundRequests.reason}`,
        state: sql`${refundRequests.status}`,
        subject: sql`${refundRequests.generationId}`,
      },
      rows: sql`${refundRequests} where ${refundRequests.userId} = ${userId} and not ${isRunAgain}`,
    },
    {
      kind: 'staff',
      columns: {
        at: sql`${refundRequests.createdAt}`,
        what: sql`'generation.run_again'`,
        state: sql`${users.name}`,
        subject: sql`${refundRequests.generationId}`,
      },
      rows: sql`${refundRequests} left join ${users} on ${users.id} = ${refundRequests.decidedBy}
        where ${refundRequests.userId} = ${userId} and ${isRunAgain}`,
    },
  ] as const

/** Contains nothing of the pictures. */
export async function generationSummary(executor: Executor, userId: string) {
  const [[counts], [requested]] = await Promise.all([
    executor
      .select({
        all: count(),
        failed: sql<string>`count(*) filter (where ${status} = 'failed')`,
        last: max(createdAt),
      })
      .from(generations)
      .where(eq(generations.userId, userId)),
    executor
      .select({ all: count() })
      .from(refundRequests)
      .where(and(eq(refundRequests.userId, userId), not(isRunAgain))),
  ])
  return {
    generations: counts?.all ?? 0,
    failedGenerations: Number(counts?.failed ?? 0),
    lastGenerationAt: counts?.last?.toISOString() ?? null,
    refundRequests: requested?.all ?? 0,
  }
}

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

const listed = 20

// Drizzle omits the table names of columns in a select list, but a subquery needs them.
const hasStoredInput = sql<boolean>`exists (select from ${generationFiles} where generation_id = ${generations}.id and role = 'input')
  and not exists (select from ${refundRequests} where generation_id = ${generations}.id)`

/** Newest first; contains nothing of the pictures. */
export async function listFailures(
  { db, tools }: Pick<Deps, 'db' | 'tools'>,
  tool: string,
  language: Language,
): Promise<Failures> {
  if (!findTool(tools, tool)) throw appError('tool.unknown')
  const found = await db
    .select({ generation: generations, again: hasStoredInput })
    .from(generations)
    .where(and(eq(generations.tool, tool), eq(generations.status, 'failed')))
    .orderBy(desc(generations.id))
    .limit(listed)
  return {
    items: found.map(({ generation: { id, userId, errorCode, provider, attempts, finishedAt }, again }) => ({
      id,
      userId,
      provider,
      attempts,
      again,
      code: errorCode ?? 'engine.failed',
      msg: translate(language, `error.${errorCode ?? 'engine.failed'}`),
      finishedAt: finishedAt?.toISOString() ?? null,
    })),
  }
}
