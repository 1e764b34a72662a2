import { requirePermission } from '#server/auth/require-user.ts'
import type { Deps } from '#server/deps.ts'
import { type CsvColumns, csvResponse, listResponse, toWesternIndonesianTime, wantsCsv } from '#server/http/csv.ts'
import { pathId } from '#server/http/path-id.ts'
import { route } from '#server/http/route.ts'
import type { MailDefinitions } from '#server/mail/mail-definition.ts'
import { daysInput } from '#shared/moment.ts'
import type { Permission } from '#shared/roles.ts'
import { type } from '#shared/schema.ts'
import type { Funnel, TimelineEntry } from '../schemas.ts'
import {
  dashboardInput,
  dashboardSchema,
  funnelSchema,
  healthSchema,
  noticesSchema,
  timelineInput,
  timelineSchema,
  visitInput,
} from '../schemas.ts'
import { countVisit } from './count-visit.ts'
import { dashboardFor, dashboardReader } from './dashboard.ts'
import { readFunnel } from './funnel.ts'
import { mailRoutes } from './mail-routes.ts'
import { readNoticeMode, setNoticeMode } from './notify-staff.ts'
import type { AdminSources } from './sources.ts'
import { readTimeline } from './timeline.ts'

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
