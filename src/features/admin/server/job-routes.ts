import { Hono } from 'hono'
import { requirePermission } from '#server/auth/require-user.ts'
import type { Deps } from '#server/deps.ts'
import { documented, respondsWith } from '#server/http/documented.ts'
import type { UserEnv } from '#server/http/env.ts'
import { type } from '#shared/schema.ts'
import { healthSchema } from '../schemas.ts'

const failingJobs = type({ name: 'string', jobs: 'number', since: 'string', reason: 'string' })

export function jobRoutes(deps: Deps) {
  const admin = requirePermission(deps, 'control')
  return new Hono<UserEnv>()
    .get(
      '/admin/health',
      documented("Get the server's health figures", respondsWith(200, 'The figures', healthSchema)),
      admin,
      async (c) => c.json({ items: await deps.health() }),
    )
    .get(
      '/admin/jobs',
      documented(
        'List failing jobs and scheduled tasks with their latest error',
        respondsWith(200, 'The failing jobs', type({ failing: failingJobs.array() })),
      ),
      admin,
      async (c) => c.json({ failing: await deps.jobs.failing() }),
    )
}
