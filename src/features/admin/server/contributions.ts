import { type SQL, sql } from 'drizzle-orm'
import { requirePermission } from '#server/auth/require-user.ts'
import { rows } from '#server/db/database.ts'
import { type Days, dayAfter, daysOf, momentsOf } from '#server/db/days.ts'
import type { Deps } from '#server/deps.ts'
import { type CsvColumns, csvResponse, listResponse, toWesternIndonesianTime, wantsCsv } from '#server/http/csv.ts'
import { isWithinRate } from '#server/http/rate-limit.ts'
import { route } from '#server/http/route.ts'
import { pathId } from '#server/http/validate.ts'
import type { MailDefinitions } from '#server/mail/mail-definition.ts'
import { daysInput } from '#shared/date-input.ts'
import type { Permission } from '#shared/roles.ts'
import { type } from '#shared/schema.ts'
import { wibDay } from '#shared/time.ts'
import {
  dashboardInput,
  dashboardSchema,
  type Funnel,
  funnelSchema,
  healthSchema,
  noticesSchema,
  type TimelineEntry,
  timelineInput,
  timelineSchema,
  visitInput,
} from '../schemas.ts'
import { dashboardFor, dashboardReader } from './dashboard.ts'
import { funnelByDay, usersByDay } from './figures-by-day.ts'
import { mailRoutes } from './mail-routes.ts'
import { notifyStaff, readNoticeMode, setNoticeMode, staffMails } from './notify-staff.ts'
import { firstDay, firstOpenDay, rollUp } from './roll-up.ts'
import type { AdminSources, FigureSources } from './sources.ts'
import { dailyFunnel, dailyVisits } from './table.ts'
import { readTimeline, serverTimeline } from './timeline.ts'

const failingJobs = type({ name: 'string', jobs: 'number', since: 'string', reason: 'string' })

const timelineColumns: CsvColumns<TimelineEntry> = {
  at_wib: ({ at }) => toWesternIndonesianTime(at),
  kind: ({ kind }) => kind,
  what: ({ what }) => what,
  state: ({ state }) => state,
  detail: ({ detail }) => detail,
  code: ({ code }) => code,
  technical: ({ technical }) => technical,
  credits: ({ amount }) => amount,
}

const funnelColumns: CsvColumns<Funnel['items'][number]> = {
  from: ({ day }) => day,
  visits: ({ visits }) => visits,
  visitors: ({ visitors }) => visitors,
  registered: ({ registered }) => registered,
  started: ({ started }) => started,
  paid: ({ paid }) => paid,
}

export function adminRoutes(deps: Deps, mails: MailDefinitions, sources: AdminSources) {
  const may = (permission: Permission) => requirePermission(deps, permission)
  const readDashboard = dashboardReader(deps, sources)
  return [
    route('readHealth', 'GET /admin/health', may('control'), {
      summary: "Get the server's health figures",
      output: { 200: ['The figures', healthSchema] },
      handler: async () => ({ items: await deps.health() }),
    }),
    route('listFailingJobs', 'GET /admin/jobs', may('control'), {
      summary: 'List failing jobs and scheduled tasks with their latest error',
      output: { 200: ['The failing jobs', type({ failing: failingJobs.array() })] },
      handler: async () => ({ failing: await deps.jobs.failing() }),
    }),
    ...mailRoutes(deps, mails),
    route('readDashboard', 'GET /admin/dashboard', may('overview'), {
      summary: 'Get the dashboard: figures of a period and open items',
      input: { query: dashboardInput },
      output: { 200: ['The figures', dashboardSchema] },
      handler: async (c) => {
        const dashboard = await readDashboard(c.req.valid('query').period ?? '30d')
        return dashboardFor(c.var.user, sources, dashboard)
      },
    }),
    route('countVisit', 'POST /visits', 'visitor', {
      summary: "Count a device's first visit of the day",
      input: { json: visitInput },
      output: { 204: 'Counted or ignored' },
      handler: (c) => {
        const agent = c.req.header('user-agent') ?? ''
        return countVisit(deps, { address: c.var.address, agent }, c.req.valid('json'))
      },
    }),
    route('readFunnel', 'GET /admin/funnel', may('overview'), {
      summary: 'Get the conversion funnel from visitors to buyers',
      input: { query: daysInput },
      output: { 200: ['The steps by day', funnelSchema] },
      handler: async (c) => {
        const funnel = await readFunnel(deps, sources, c.req.valid('query'))
        if (!wantsCsv(c)) return funnel
        return csvResponse(c, 'conversion', funnelColumns, async () => ({ items: funnel.items, nextCursor: null }))
      },
    }),
    route('readNoticeMode', 'GET /admin/notices', may('overview'), {
      summary: 'Get your email notices about open items',
      output: { 200: ['The notice settings', noticesSchema] },
      handler: async (c) => ({ mode: await readNoticeMode(deps, c.var.user.id) }),
    }),
    route('setNoticeMode', 'PUT /admin/notices', may('overview'), {
      summary: 'Set your email notices about open items',
      input: { json: noticesSchema },
      output: { 204: 'Saved' },
      handler: (c) => setNoticeMode(deps, c.var.user.id, c.req.valid('json').mode),
    }),
    route('readTimeline', 'GET /admin/users/:id/timeline', may('people'), {
      summary: 'Get the timeline of a user',
      input: { query: timelineInput },
      output: { 200: ['One page of results', timelineSchema] },
      errors: ['account.not_found'],
      handler: (c) => {
        const timeline = { id: pathId(c, 'account.not_found'), language: c.var.language }
        const query = c.req.valid('query')
        return listResponse(c, 'timeline', timelineColumns, (page) =>
          readTimeline(deps, sources, timeline, query, page),
        )
      },
    }),
  ]
}

/** Most machines run no script and never get here. */
const machines = /bot|crawl|spider|slurp|preview|headless|lighthouse|monitor/i
/** Generous, because many users of a mobile network share an address. */
const fromAddress = { rule: 'visit', limit: 300, seconds: 3600 }

/** Counts a device on its first visit of the day; silently ignores machines. */
async function countVisit(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  { address, agent }: { address: string; agent: string },
  { first }: typeof visitInput.infer,
): Promise<void> {
  if (agent === '' || machines.test(agent)) return
  if (!(await isWithinRate(deps, [{ ...fromAddress, subject: address }]))) return
  const { visits, visitors } = dailyVisits
  const added = first ? 1 : 0
  await deps.db
    .insert(dailyVisits)
    .values({ day: wibDay(deps.clock()), visits: 1, visitors: added })
    .onConflictDoUpdate({
      target: dailyVisits.day,
      set: { visits: sql`${visits} + 1`, visitors: sql`${visitors} + ${added}::int` },
    })
}

export const adminContributions = {
  mails: staffMails,
  timeline: serverTimeline,
  async work(deps: Deps, sources: AdminSources): Promise<void> {
    await deps.jobs.every('roll-up-figures', 900, (signal) => rollUp(deps, sources, signal))
    await deps.jobs.every('tell-staff', 300, () => notifyStaff(deps, sources))
  },
}

/** Longer periods have a bucket for each month. */
const maxDailyBuckets = 62

const steps = ['visits', 'visitors', 'registered', 'started', 'paid'] as const
type Item = Funnel['items'][number]

/**
 * Visiting devices, registered users, and how many of these have started a generation and have paid
 * at any time since, so that a rate is about the same users. Deleting an account does not change
 * final days.
 */
export async function readFunnel(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { figures }: Pick<AdminSources, 'figures'>,
  span: typeof daysInput.infer,
): Promise<Funnel> {
  const now = clock()
  const days = daysOf(span, now)
  const since = (await firstOpenDay(db)) ?? (await firstDay(db)) ?? wibDay(now)
  const open = { from: since, to: dayAfter(wibDay(now), 1) }
  const [from, to] = [days.from, dayAfter(days.to, -1)]
  const unit = dayAfter(from, maxDailyBuckets) > to ? 'day' : 'month'
  const [first, ...items] = await rows<Item>(db, stepsByBucket(figures, { from, to, unit }, open))
  const { day: _, ...total } = first as Item
  return { from, to, unit, total, items }
}

/** The totals, then the buckets; stored for the final days, computed for the days since. */
function stepsByBucket(
  sources: FigureSources,
  { from, to, unit }: Pick<Funnel, 'from' | 'to' | 'unit'>,
  open: Days,
): SQL {
  const bucket = sql`date_trunc(${sql.raw(`'${unit}'`)}, day)`
  const ofJoined = sql.raw('joined::timestamp, 0, 0, registered, started, paid')
  const total = (step: string) => sql.raw(`coalesce(sum(${step}), 0)::int as ${step}`)
  const asked = sql`joined between ${from}::date and ${to}::date`
  return sql`
    select to_char(${bucket}, 'YYYY-MM-DD') as day, ${sql.join(steps.map(total), sql`, `)}
    from (
      select ${dailyVisits.day}::timestamp as day, ${dailyVisits.visits} as visits, ${dailyVisits.visitors} as visitors,
        0 as registered, 0 as started, 0 as paid
      from ${dailyVisits} where ${dailyVisits.day} between ${from}::date and ${to}::date
      union all select ${ofJoined} from ${dailyFunnel} where ${asked} and day < ${open.from}::date
      union all select ${ofJoined} from (${funnelByDay(sources, open, usersByDay(sources, momentsOf(open)))}) live where ${asked}
    ) steps group by grouping sets ((), (${bucket})) order by 1 desc nulls first`
}
