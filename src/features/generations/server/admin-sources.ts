import { and, count, eq, max, not, type SQL, sql } from 'drizzle-orm'
import { users } from '#server/auth/table.ts'
import type { Executor } from '#server/db/database.ts'
import { dayOf, isDuring, type Moments } from '#server/db/days.ts'
import { generations, isRunAgain, providerJobs, refundRequests } from './table.ts'
import { hasStoredInput } from './tools/failures.ts'

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
