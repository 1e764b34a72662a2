import { account } from '#features/account/server/account.ts'
import type { Deps } from '#server/deps.ts'
import { route } from '#server/http/route.ts'
import { type } from '#shared/schema.ts'
import { healthSchema } from '../schemas.ts'

const failingJobs = type({ name: 'string', jobs: 'number', since: 'string', reason: 'string' })

export function jobRoutes(deps: Deps) {
  const admin = account.requirePermission(deps, 'control')
  return [
    route('readHealth', 'GET /admin/health', {
      auth: admin,
      summary: "Get the server's health figures",
      output: { 200: ['The figures', healthSchema] },
      handler: async (c) => c.json({ items: await deps.health() }),
    }),
    route('listFailingJobs', 'GET /admin/jobs', {
      auth: admin,
      summary: 'List failing jobs and scheduled tasks with their latest error',
      output: { 200: ['The failing jobs', type({ failing: failingJobs.array() })] },
      handler: async (c) => c.json({ failing: await deps.jobs.failing() }),
    }),
  ]
}
