import { type SQL, sql } from 'drizzle-orm'
import { rows } from '#server/db/database.ts'
import { rowsOfDays } from '#server/db/days.ts'
import type { Deps } from '#server/deps.ts'
import { permissionsOf, type Staff } from '#shared/roles.ts'
import { wibDay } from '#shared/time.ts'
import type { Period } from '../rules.ts'
import type { Dashboard, Figures } from '../schemas.ts'
import { countDistinctUsers } from './count-distinct-users.ts'
import {
  bucketsOf,
  distinctUserSpans,
  generationsByDay,
  medianSeconds,
  outcomes,
  type Span,
  spanOf,
  sumsByDay,
} from './figures-by-day.ts'
import { firstOpenDay } from './roll-up.ts'
import type { AdminSources, FigureSources, OpenCount } from './sources.ts'
import { dailyFigures, dailyGenerations } from './table.ts'

type Tools = Pick<Deps, 'db' | 'clock'>
type Sources = Pick<AdminSources, 'figures' | 'openCounts'>
type Numbers = Record<string, string | number | null>

/** Figures that add up: a year is the sum of its days. */
const added = [
  'revenueIdr',
  'orders',
  'newUsers',
  'generations',
  'failed',
  'creditsSold',
  'creditsSpent',
  'creditsExpired',
] as const
type Sum = (typeof added)[number]
type PeriodFigures = Omit<Dashboard, 'open'>

const withoutRevenue = <Some extends Figures | Dashboard['series'][number]>({ revenueIdr: _, ...rest }: Some) => rest

/** Limits the dashboard to the permissions of a member of staff. */
export function dashboardFor(
  staff: Staff,
  { openCounts }: Pick<AdminSources, 'openCounts'>,
  { open, ...figures }: Dashboard,
): Dashboard {
  const granted = permissionsOf(staff)
  const hidden = Object.entries(openCounts).flatMap(([name, { needs }]: [string, OpenCount]) =>
    needs && !granted.includes(needs) ? [[name, 0] as const] : [],
  )
  const mine = { ...open, ...Object.fromEntries(hidden) }
  return { ...(granted.includes('money') ? figures : hideRevenue(figures)), open: mine }
}

function hideRevenue({ now, before, series, ...dashboard }: PeriodFigures): PeriodFigures {
  return {
    ...dashboard,
    now: withoutRevenue(now),
    before: withoutRevenue(before),
    series: series.map((bucket) => withoutRevenue(bucket)),
  }
}
type Bucket = { day: string; activeUsers: number } & Record<Sum, number>

const freshMilliseconds = 30_000

/**
 * Caches figures for half a minute. Counts open work each time, so that a decision shows at once.
 */
export function dashboardReader(deps: Tools, sources: Sources) {
  const kept = new Map<Period, { at: number; value: Promise<PeriodFigures> }>()
  const figures = (period: Period) => {
    const now = deps.clock().getTime()
    const found = kept.get(period)
    if (found && Math.abs(now - found.at) < freshMilliseconds) return found.value
    const value = readFigures(deps, sources.figures, period)
    kept.set(period, { at: now, value })
    value.catch(() => kept.delete(period))
    return value
  }
  return async (period: Period): Promise<Dashboard> => {
    const [read, open] = await Promise.all([figures(period), countOpen(deps, sources)])
    return { ...read, open }
  }
}

/** Includes the period before. */
export async function readDashboard(deps: Tools, sources: Sources, period: Period): Promise<Dashboard> {
  const [figures, open] = await Promise.all([readFigures(deps, sources.figures, period), countOpen(deps, sources)])
  return { ...figures, open }
}

async function readFigures({ db, clock }: Tools, sources: FigureSources, period: Period): Promise<PeriodFigures> {
  const now = clock()
  const span = spanOf(period, now)
  const counted = await firstOpenDay(db)
  const first = wibDay(span.before)
  const since = counted !== undefined && counted > first ? counted : first
  const source = sourceOf(sources, span, since)
  const read = (query: SQL) => rows<Numbers>(db, query)
  const [sums, counts, ended, people] = await Promise.all([
    read(sumsByBucket(source)),
    read(generationsByBucket(source)),
    read(generationsByOutcome(source)),
    countDistinctUsers(db, sources, { spans: distinctUserSpans(span), since }),
  ])
  const buckets = new Map<string, Bucket>()
  for (const row of [...sums, ...counts]) {
    const name = String(row.bucket)
    const bucket = buckets.get(name) ?? emptyBucket(name)
    for (const key of [...added, 'activeUsers'] as const) bucket[key] += Number(row[key] ?? 0)
    buckets.set(name, bucket)
  }
  const days = bucketsOf(span)
  const [peopleBefore = 0, peopleNow = 0, ...peopleByBucket] = people
  for (const [index, count] of peopleByBucket.entries()) {
    const bucket = buckets.get(days[index] ?? '')
    if (bucket) bucket.activeUsers = count
  }
  const start = days[0] ?? ''
  const durations = ended.map(({ which, tool, outcome, generations: count }) => ({
    which,
    tool: String(tool),
    outcome: Number(outcome),
    generations: Number(count),
  }))
  const figures = (isIn: (day: string) => boolean, which: 'now' | 'before'): Figures => {
    const mine = [...buckets.values()].filter(({ day }) => isIn(day))
    const total = (key: Sum) => mine.reduce((sum, bucket) => sum + bucket[key], 0)
    return {
      ...(Object.fromEntries(added.map((key) => [key, Math.max(0, total(key))])) as Record<Sum, number>),
      activeUsers: which === 'now' ? peopleNow : peopleBefore,
      medianSeconds: medianSeconds(durations.filter((entry) => entry.which === which)),
    }
  }
  return {
    period,
    now: figures((day) => day >= start, 'now'),
    before: figures((day) => day < start, 'before'),
    series: days.map((day) => notNegative(buckets.get(day) ?? emptyBucket(day))),
    tools: byTool(durations.filter(({ which }) => which === 'now')),
  }
}

function byTool(durations: readonly { tool: string; outcome: number; generations: number }[]): Dashboard['tools'] {
  const count = (some: readonly { generations: number }[]) => some.reduce((sum, entry) => sum + entry.generations, 0)
  return [...Map.groupBy(durations, ({ tool }) => tool)]
    .map(([tool, mine]) => ({
      tool,
      generations: count(mine),
      failed: count(mine.filter(({ outcome }) => outcome === outcomes.failed)),
      medianSeconds: medianSeconds(mine),
    }))
    .sort((a, b) => b.generations - a.generations)
}

function emptyBucket(day: string): Bucket {
  return { day, activeUsers: 0, ...(Object.fromEntries(added.map((key) => [key, 0])) as Record<Sum, number>) }
}

/** On some days refunds exceed charges. */
function notNegative(bucket: Bucket): Bucket {
  return { ...bucket, creditsSpent: Math.max(0, bucket.creditsSpent) }
}

/** Final daily figures and the current figures of the days since, as one table each. */
interface Source {
  sums: SQL
  counts: SQL
  bucket: SQL
  /** The current or the previous span. */
  which: SQL
}

function sourceOf(sources: FigureSources, { before, from, to, unit }: Span, since: string): Source {
  const days = { from: wibDay(before), to: wibDay(to) }
  const sums = 'day, revenue_idr, orders, new_users, active_users, credits_sold, credits_spent, credits_expired'
  return {
    sums: rowsOfDays(dailyFigures, sums, days, since, (moments) => sumsByDay(sources, moments)),
    counts: rowsOfDays(dailyGenerations, 'day, tool, outcome, runs', days, since, (moments) =>
      generationsByDay(sources, moments),
    ),
    bucket: sql`to_char(date_trunc(${sql.raw(`'${unit}'`)}, day), 'YYYY-MM-DD')`,
    which: sql`case when day >= ${wibDay(from)}::date then 'now' else 'before' end`,
  }
}

function sumsByBucket({ sums, bucket }: Source): SQL {
  return sql`select ${bucket} as bucket, sum(revenue_idr) as "revenueIdr", sum(orders) as orders,
      sum(new_users) as "newUsers", sum(active_users) as "activeUsers", sum(credits_sold) as "creditsSold", sum(credits_spent) as "creditsSpent",
      sum(credits_expired) as "creditsExpired"
    from ${sums} group by 1`
}

function generationsByBucket({ counts, bucket }: Source): SQL {
  return sql`select ${bucket} as bucket, sum(runs) as generations,
      sum(runs) filter (where outcome = ${sql.raw(String(outcomes.failed))}) as failed
    from ${counts} group by 1`
}

function generationsByOutcome({ counts, which }: Source): SQL {
  return sql`select ${which} as which, tool, outcome, sum(runs) as generations from ${counts} group by 1, 2, 3`
}

export async function countOpen(
  { db, clock }: Tools,
  { openCounts }: Pick<AdminSources, 'openCounts'>,
): Promise<Dashboard['open']> {
  const now = clock()
  const columns = Object.entries(openCounts).map(
    ([name, { count }]: [string, OpenCount]) => sql`(${count(now)}) as ${sql.identifier(name)}`,
  )
  const [counts = {}] = await rows<Numbers>(db, sql`select ${sql.join(columns, sql`, `)}`)
  return Object.fromEntries(Object.entries(counts).map(([name, value]) => [name, Number(value)])) as Dashboard['open']
}
