import { Hono } from 'hono'
import { requirePermission } from '#server/auth/require-user.ts'
import type { Deps } from '#server/deps.ts'
import { type CsvColumns, csvResponse, toWesternIndonesianTime, wantsCsv } from '#server/http/csv.ts'
import { documented, respondsWith } from '#server/http/documented.ts'
import type { UserEnv } from '#server/http/env.ts'
import { pathId } from '#server/http/path-id.ts'
import { jsonOnly, valid, validJson } from '#server/http/validate.ts'
import type { MailDefinitions } from '#server/mail/mail-definition.ts'
import type { Permission } from '#shared/roles.ts'
import type { Funnel, GenerationCostsRow, TimelineEntry } from '../schemas.ts'
import {
  dashboardInput,
  dashboardSchema,
  daysInput,
  failuresSchema,
  funnelSchema,
  generationCostsSchema,
  noticesSchema,
  timelineInput,
  timelineSchema,
  userSummarySchema,
  visitInput,
} from '../schemas.ts'
import { countVisit } from './count-visit.ts'
import { dashboardFor, dashboardReader } from './dashboard.ts'
import { listFailures } from './failures.ts'
import { readFunnel } from './funnel.ts'
import { readGenerationCosts } from './generation-costs.ts'
import { jobRoutes } from './job-routes.ts'
import { mailRoutes } from './mail-routes.ts'
import { readNoticeMode, setNoticeMode } from './notify-staff.ts'
import { readTimeline } from './timeline.ts'
import { readUserSummary } from './user-summary.ts'

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

const generationCostsColumns: CsvColumns<GenerationCostsRow> = {
  tool: ({ tool }) => tool,
  provider: ({ provider }) => provider,
  runs: ({ generations }) => generations,
  runs_without_price: ({ costUnknown }) => costUnknown,
  cost_usd: ({ usd }) => usd,
  cost_idr: ({ costIdr }) => costIdr,
  credits: ({ credits }) => credits,
  earned_idr: ({ earnedIdr }) => earnedIdr,
  margin_idr: ({ marginIdr }) => marginIdr,
}

export function adminRoutes(deps: Deps, mails: MailDefinitions) {
  const may = (permission: Permission) => requirePermission(deps, permission)
  const readDashboard = dashboardReader(deps)
  return new Hono<UserEnv>()
    .route('/', jobRoutes(deps))
    .route('/', mailRoutes(deps, mails))
    .get(
      '/admin/dashboard',
      documented(
        'Get the dashboard: figures of a period and open items',
        respondsWith(200, 'The figures', dashboardSchema),
      ),
      may('overview'),
      valid('query', dashboardInput),
      async (c) => {
        const dashboard = await readDashboard(c.req.valid('query').period ?? '30d')
        return c.json(dashboardFor(c.var.user, dashboard))
      },
    )
    .post(
      '/visits',
      documented("Count a device's first visit of the day", respondsWith(204, 'Counted or ignored'), {
        security: [],
      }),
      jsonOnly,
      validJson(visitInput),
      async (c) => {
        const agent = c.req.header('user-agent') ?? ''
        await countVisit(deps, { address: c.var.address, agent }, c.req.valid('json'))
        return c.body(null, 204)
      },
    )
    .get(
      '/admin/funnel',
      documented(
        'Get the conversion funnel from visitors to buyers',
        respondsWith(200, 'The steps by day', funnelSchema),
      ),
      may('overview'),
      valid('query', daysInput),
      async (c) => {
        const funnel = await readFunnel(deps, c.req.valid('query'))
        if (!wantsCsv(c)) return c.json(funnel)
        return csvResponse(c, 'conversion', funnelColumns, async () => ({ items: funnel.items, nextCursor: null }))
      },
    )
    .get(
      '/admin/run_costs',
      documented(
        'Get provider costs of generations and the revenue of their credits',
        respondsWith(200, 'The costs by tool and provider', generationCostsSchema),
      ),
      may('money'),
      valid('query', daysInput),
      async (c) => {
        const costs = await readGenerationCosts(deps, c.req.valid('query'))
        if (!wantsCsv(c)) return c.json(costs)
        return csvResponse(c, 'run-costs', generationCostsColumns, async () => ({
          items: costs.items,
          nextCursor: null,
        }))
      },
    )
    .get(
      '/admin/notices',
      documented('Get your email notices about open items', respondsWith(200, 'The notice settings', noticesSchema)),
      may('overview'),
      async (c) => c.json({ mode: await readNoticeMode(deps, c.var.user.id) }),
    )
    .put(
      '/admin/notices',
      documented('Set your email notices about open items', respondsWith(204, 'Saved')),
      may('overview'),
      jsonOnly,
      validJson(noticesSchema),
      async (c) => {
        await setNoticeMode(deps, c.var.user.id, c.req.valid('json').mode)
        return c.body(null, 204)
      },
    )
    .get(
      '/admin/users/:id/summary',
      documented(
        "Get counts of a user's generations, orders and requests",
        respondsWith(200, 'The counts', userSummarySchema),
      ),
      may('people'),
      async (c) => {
        return c.json(await readUserSummary(deps, pathId(c, 'account.not_found')))
      },
    )
    .get(
      '/admin/users/:id/timeline',
      documented('Get the timeline of a user', respondsWith(200, 'One page of results', timelineSchema)),
      may('people'),
      valid('query', timelineInput),
      async (c) => {
        const timeline = { id: pathId(c, 'account.not_found'), language: c.var.language }
        const query = c.req.valid('query')
        if (!wantsCsv(c)) return c.json(await readTimeline(deps, timeline, query))
        return csvResponse(c, 'timeline', timelineColumns, (page) => readTimeline(deps, timeline, query, page))
      },
    )
    .get(
      '/admin/tools/:tool/failures',
      documented(
        'List recent failed generations of a tool',
        respondsWith(200, 'The failed generations', failuresSchema),
      ),
      may('shop'),
      async (c) => c.json(await listFailures(deps, c.req.param('tool'), c.var.language)),
    )
}
