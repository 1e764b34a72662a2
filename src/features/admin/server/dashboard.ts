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
  outcomes,
  type Span,
  secondsAt,
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
  const [sums, ended, people] = await Promise.all([
    read(sumsBySpanAndBucket(source)),
    read(durationsBySpanAndTool(source)),
    countDistinctUsers(db, sources, { spans: distinctUserSpans(span), since }),
  ])
  const [peopleBefore = 0, peopleNow = 0, ...peopleByBucket] = people
  const figures = (which: 'now' | 'before', activeUsers: number): Figures => {
    const duration = ended.find((row) => row.which === which && row.tool === null)
    const sum = sums.find((row) => row.which === which)
    return { ...sumsOf(sum), activeUsers, medianSeconds: secondsOf(duration) }
  }
  return {
    period,
    now: figures('now', peopleNow),
    before: figures('before', peopleBefore),
    series: bucketsOf(span).map((day, index) => {
      const sum = sums.find((row) => row.bucket === day)
      return { day, ...sumsOf(sum), activeUsers: peopleByBucket[index] ?? Number(sum?.activeUsers ?? 0) }
    }),
    tools: ended
      .filter(({ which, tool }) => which === 'now' && tool !== null)
      .map((row) => ({
        tool: String(row.tool),
        generations: Number(row.generations),
        failed: Number(row.failed),
        medianSeconds: secondsOf(row),
      })),
  }
}

const sumsOf = (row: Numbers | undefined) =>
  Object.fromEntries(added.map((key) => [key, Number(row?.[key] ?? 0)])) as Record<Sum, number>

const secondsOf = (row: Numbers | undefined) => (row?.medianSeconds == null ? null : Number(row.medianSeconds))

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

/** Rows of the two spans, and rows of the buckets. On some days refunds exceed charges. */
function sumsBySpanAndBucket({ sums, counts, bucket, which }: Source): SQL {
  return sql`select which, bucket, sum(revenue_idr) as "revenueIdr", sum(orders) as orders,
      sum(new_users) as "newUsers", sum(active_users) as "activeUsers", greatest(0, sum(credits_sold)) as "creditsSold",
      greatest(0, sum(credits_spent)) as "creditsSpent", greatest(0, sum(credits_expired)) as "creditsExpired",
      sum(runs) as generations, sum(failed) as failed
    from (
      select ${which} as which, ${bucket} as bucket, revenue_idr, orders, new_users, active_users, credits_sold,
        credits_spent, credits_expired, 0 as runs, 0 as failed
      from ${sums}
      union all
      select ${which}, ${bucket}, 0, 0, 0, 0, 0, 0, 0, runs, case when outcome = ${outcomes.failed} then runs else 0 end
      from ${counts}
    ) figures group by grouping sets ((which), (bucket))`
}

/**
 * Generations of each span, in all and by tool, with the median duration of the successful ones,
 * which the histogram gives to two percent.
 */
function durationsBySpanAndTool({ counts, which }: Source): SQL {
  return sql`select which, tool, sum(runs) as generations,
      coalesce(sum(runs) filter (where outcome = ${outcomes.failed}), 0) as failed,
      ${secondsAt(sql`min(outcome) filter (where outcome >= 0 and below >= known / 2.0)`)} as "medianSeconds"
    from (
      select which, tool, outcome, runs,
        sum(runs) filter (where outcome >= 0) over (partition by which, tool order by outcome) as below,
        sum(runs) filter (where outcome >= 0) over (partition by which, tool) as known
      from (
        select which, tool, outcome, sum(runs) as runs
        from (select ${which} as which, tool, outcome, runs from ${counts}) by_day
        group by grouping sets ((which, outcome), (which, tool, outcome))
      ) histogram
    ) ranked group by which, tool order by generations desc`
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
