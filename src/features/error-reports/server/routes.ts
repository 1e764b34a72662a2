import { Hono } from 'hono'
import { requirePermission } from '#server/auth/require-user.ts'
import type { Deps } from '#server/deps.ts'
import { documented, respondsWith } from '#server/http/documented.ts'
import type { UserEnv } from '#server/http/env.ts'
import { jsonOnly, validJson } from '#server/http/validate.ts'
import { errorReportInput, errorReportsSchema } from '../schemas.ts'
import { listErrors, recordErrorReport } from './record-error-report.ts'

export function errorReportRoutes(deps: Deps) {
  return new Hono<UserEnv>()
    .post(
      '/error_reports',
      documented('Report an app error, without user content', respondsWith(204, 'Recorded or dropped'), {
        security: [],
      }),
      jsonOnly,
      validJson(errorReportInput),
      async (c) => {
        await recordErrorReport(deps, c.req.valid('json'), c.var.address)
        return c.body(null, 204)
      },
    )
    .get(
      '/admin/error_reports',
      documented(
        'List app errors on devices with their counts',
        respondsWith(200, 'The most recent errors', errorReportsSchema),
      ),
      requirePermission(deps, 'control'),
      async (c) => c.json(await listErrors(deps)),
    )
}
