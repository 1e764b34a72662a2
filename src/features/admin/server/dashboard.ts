import { type SQL, sql } from 'drizzle-orm'
import { users } from '#features/account/server/table.ts'
import { differences, orders, payments } from '#features/billing/server/table.ts'
import { ledgerEntries } from '#features/credits/server/table.ts'
import { customEdits } from '#features/custom-edits/server/table.ts'
import { generationClaims, generations } from '#features/generations/server/table.ts'
import { rows } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'
import type { Dashboard, Figures, Period } from '../contract.ts'
import { bucketsOf, type Span, spanOf, zone } from './period.ts'

type Tools = Pick<Deps, 'db' | 'clock'>
type Numbers = Record<string, string | number | null>

/** What adds up: a year is the sum of its days. */
const sums = [
  'revenueIdr',
  'orders',
  'newUsers',
  'generations',
  'failed',
  'creditsSold',
  'creditsSpent',
  'creditsExpired',
] as const
type Sum = (typeof sums)[number]
type Bucket = { day: string; activeUsers: number } & Record<Sum, number>

/** A dashboard is read by several people at once, and its figures change slowly. */
const freshMilliseconds = 30_000

/** Reads dashboards; the same one is computed again only when it is older than half a minute. */
export function dashboardReader(deps: Tools) {
  const kept = new Map<Period, { at: number; value: Promise<Dashboard> }>()
  return (period: Period): Promise<Dashboard> => {
    const now = deps.clock().getTime()
    const found = kept.get(period)
    if (found && Math.abs(now - found.at) < freshMilliseconds) return found.value
    const value = readDashboard(deps, period)
    kept.set(period, { at: now, value })
    value.catch(() => kept.delete(period))
    return value
  }
}

/** The figures of a period, of the one before it, and what waits now. */
export async function readDashboard({ db, clock }: Tools, period: Period): Promise<Dashboard> {
  const now = clock()
  const span = spanOf(period, now)
  const read = (query: SQL) => rows<Numbers>(db, query)
  const [money, people, runs, credits, distinct, tools, open] = await Promise.all([
    read(moneyByBucket(span)),
    read(peopleByBucket(span)),
    read(runsByBucket(span)),
    read(creditsByBucket(span)),
    read(distinctBySpan(span)),
    read(runsByTool(span)),
    read(openNow(now)),
  ])
  const buckets = new Map<string, Bucket>()
  for (const row of [...money, ...people, ...runs, ...credits]) {
    const name = String(row.bucket)
    const bucket = buckets.get(name) ?? emptyBucket(name)
    for (const key of [...sums, 'activeUsers'] as const) bucket[key] += Number(row[key] ?? 0)
    buckets.set(name, bucket)
  }
  const first = bucketsOf(span)
  const figures = (isIn: (day: string) => boolean, which: 'now' | 'before'): Figures => {
    const mine = [...buckets.values()].filter(({ day }) => isIn(day))
    const total = (key: Sum) => mine.reduce((sum, bucket) => sum + bucket[key], 0)
    const { active, median } = distinct.find((row) => row.which === which) ?? {}
    return {
      ...(Object.fromEntries(sums.map((key) => [key, Math.max(0, total(key))])) as Record<Sum, number>),
      activeUsers: Number(active ?? 0),
      medianSeconds: median == null ? null : Number(median),
    }
  }
  const start = first[0] ?? ''
  return {
    period,
    now: figures((day) => day >= start, 'now'),
    before: figures((day) => day < start, 'before'),
    series: first.map((day) => notNegative(buckets.get(day) ?? emptyBucket(day))),
    tools: tools.map(({ tool, generations, failed, median }) => ({
      tool: String(tool),
      generations: Number(generations),
      failed: Number(failed),
      medianSeconds: median == null ? null : Number(median),
    })),
    open: Object.fromEntries(
      Object.entries(open[0] ?? {}).map(([key, value]) => [key, Number(value)]),
    ) as Dashboard['open'],
  }
}

function emptyBucket(day: string): Bucket {
  return { day, activeUsers: 0, ...(Object.fromEntries(sums.map((key) => [key, 0])) as Record<Sum, number>) }
}

/** On a day on which more was given back than was spent, nothing was spent. */
function notNegative(bucket: Bucket): Bucket {
  return { ...bucket, creditsSpent: Math.max(0, bucket.creditsSpent) }
}

const bucketOf = (moment: SQL | { getSQL(): SQL }, { unit }: Span) =>
  sql`to_char(date_trunc(${sql.raw(`'${unit}'`)}, ${moment} at time zone ${sql.raw(`'${zone}'`)}), 'YYYY-MM-DD')`
const between = (moment: { getSQL(): SQL }, from: Date, to: Date) =>
  sql`${moment} >= ${from.toISOString()}::timestamptz and ${moment} < ${to.toISOString()}::timestamptz`

function moneyByBucket(span: Span): SQL {
  return sql`select ${bucketOf(orders.paidAt, span)} as bucket, count(*) as orders,
      sum(${orders.totalIdr}) as "revenueIdr"
    from ${orders} where ${between(orders.paidAt, span.before, span.to)} group by 1`
}

function peopleByBucket(span: Span): SQL {
  return sql`select ${bucketOf(users.createdAt, span)} as bucket, count(*) as "newUsers"
    from ${users} where ${between(users.createdAt, span.before, span.to)} group by 1`
}

function runsByBucket(span: Span): SQL {
  return sql`select ${bucketOf(generations.createdAt, span)} as bucket, count(*) as generations,
      count(*) filter (where ${generations.status} = 'failed') as failed,
      count(distinct ${generations.userId}) as "activeUsers"
    from ${generations} where ${between(generations.createdAt, span.before, span.to)} group by 1`
}

function creditsByBucket(span: Span): SQL {
  const of = (...kinds: string[]) =>
    sql`filter (where ${ledgerEntries.kind} in (${sql.raw(kinds.map((kind) => `'${kind}'`).join(', '))}))`
  return sql`select ${bucketOf(ledgerEntries.createdAt, span)} as bucket,
      sum(${ledgerEntries.amount}) ${of('purchase', 'voucher')} as "creditsSold",
      -sum(${ledgerEntries.amount}) ${of('generation', 'refund')} as "creditsSpent",
      -sum(${ledgerEntries.amount}) ${of('expiry')} as "creditsExpired"
    from ${ledgerEntries} where ${between(ledgerEntries.createdAt, span.before, span.to)} group by 1`
}

const seconds = sql`extract(epoch from ${generations.finishedAt} - ${generations.startedAt})`
const median = sql`percentile_cont(0.5) within group (order by ${seconds})
  filter (where ${generations.status} = 'succeeded')`

/** What does not add up: people who came on two days are one person. */
function distinctBySpan({ before, from, to }: Span): SQL {
  const part = (which: string, start: Date, end: Date) => sql`
    select ${sql.raw(`'${which}'`)} as which, count(distinct ${generations.userId}) as active, ${median} as median
    from ${generations} where ${between(generations.createdAt, start, end)}`
  return sql`${part('now', from, to)} union all ${part('before', before, from)}`
}

function runsByTool({ from, to }: Span): SQL {
  return sql`select ${generations.tool} as tool, count(*) as generations,
      count(*) filter (where ${generations.status} = 'failed') as failed, ${median} as median
    from ${generations} where ${between(generations.createdAt, from, to)} group by 1 order by 2 desc`
}

function openNow(now: Date): SQL {
  const open = sql`select * from ${generations} where ${generations.status} in ('queued', 'detecting', 'generating')`
  const edits = sql`${customEdits} where ${customEdits.status} in ('new', 'in_progress')`
  return sql`select
    (select count(*) from (${open}) o where o.status = 'queued') as queued,
    (select count(*) from (${open}) o where o.status <> 'queued') as running,
    (select count(*) from ${orders} where ${orders.status} = 0 and ${orders.status} in (0, 1)) as "ordersAwaiting",
    (select count(*) from ${payments} where ${payments.problem} is not null and ${payments.settledAt} is null)
      as "paymentProblems",
    (select count(*) from ${generationClaims} where ${generationClaims.status} = 'waiting') as claims,
    (select count(*) from ${edits}) as requests,
    (select count(*) from ${edits} and ${customEdits.dueAt} < ${now.toISOString()}::timestamptz) as "requestsOverdue",
    (select count(*) from ${differences} where ${differences.resolvedAt} is null) as differences`
}
