import { requirePermission } from '#server/auth/require-user.ts'
import type { Deps } from '#server/deps.ts'
import { route } from '#server/http/route.ts'
import { errorReportInput, errorReportsSchema } from '../schemas.ts'
import { listErrors, recordErrorReport } from './record-error-report.ts'

export function errorReportRoutes(deps: Deps) {
  return [
    route('reportError', 'POST /error_reports', 'visitor', {
      summary: 'Report an app error, without user content',
      input: { json: errorReportInput },
      output: { 204: 'Recorded or dropped' },
      handler: (c) => recordErrorReport(deps, c.req.valid('json'), c.var.address),
    }),
    route('listErrors', 'GET /admin/error_reports', requirePermission(deps, 'control'), {
      summary: 'List app errors on devices with their counts',
      output: { 200: ['The most recent errors', errorReportsSchema] },
      handler: () => listErrors(deps),
    }),
  ]
}
