import { Hono } from 'hono'
import { validate as isUuid } from 'uuid'
import { account } from '#features/account/server/account.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { documented, respondsWith } from '#server/http/documented.ts'
import type { UserEnv } from '#server/http/env.ts'
import { valid } from '#server/http/validate.ts'
import { dashboardInput, dashboardSchema, failuresSchema, userSummarySchema } from '../schemas.ts'
import { dashboardReader } from './dashboard.ts'
import { listFailures } from './failures.ts'
import { jobRoutes } from './job-routes.ts'
import { readUserSummary } from './user-summary.ts'

/** What admins read across features; paths are relative to /api. */
export function adminRoutes(deps: Deps) {
  const admin = account.requireUser(deps, 'admin')
  const readDashboard = dashboardReader(deps)
  return new Hono<UserEnv>()
    .route('/', jobRoutes(deps))
    .get(
      '/admin/dashboard',
      documented('The figures of a period and what waits now', respondsWith(200, 'The figures', dashboardSchema)),
      admin,
      valid('query', dashboardInput),
      async (c) => c.json(await readDashboard(c.req.valid('query').period ?? '30d')),
    )
    .get(
      '/admin/users/:id/summary',
      documented('What a person has here, counted', respondsWith(200, 'The counts', userSummarySchema)),
      admin,
      async (c) => {
        const { id } = c.req.param()
        if (!isUuid(id)) throw appError('account.not_found')
        return c.json(await readUserSummary(deps, id))
      },
    )
    .get(
      '/admin/tools/:tool/failures',
      documented('The newest runs of a tool that failed', respondsWith(200, 'The failures', failuresSchema)),
      admin,
      async (c) => c.json(await listFailures(deps, c.req.param('tool'), c.var.language)),
    )
}
