import { requirePermission } from '#server/auth/require-user.ts'
import type { Deps } from '#server/deps.ts'
import { type CsvColumns, listResponse, toWesternIndonesianTime } from '#server/http/csv.ts'
import { route } from '#server/http/route.ts'
import {
  type AuditEntryView,
  auditPageSchema,
  listAuditInput,
  listSecurityEventsInput,
  type SecurityEventView,
  securityEventPageSchema,
} from '../schemas.ts'
import { listAudit, listSecurityEvents } from './list-audit.ts'

const auditColumns: CsvColumns<AuditEntryView> = {
  id: ({ id }) => id,
  at_wib: ({ createdAt }) => toWesternIndonesianTime(createdAt),
  actor: ({ actorName, actorId }) => actorName ?? actorId,
  action: ({ action }) => action,
  subject: ({ subject }) => `${subject.kind}:${subject.id}`,
  before: ({ before }) => JSON.stringify(before),
  after: ({ after }) => JSON.stringify(after),
  reason: ({ reason }) => reason,
}

const securityColumns: CsvColumns<SecurityEventView> = {
  id: ({ id }) => id,
  at_wib: ({ createdAt }) => toWesternIndonesianTime(createdAt),
  kind: ({ kind }) => kind,
  user: ({ userName, userId }) => userName ?? userId,
  network: ({ addressClass }) => addressClass,
  detail: ({ detail }) => detail,
}

export function auditRoutes(deps: Deps) {
  const admin = requirePermission(deps, 'control')
  return [
    route('listAudit', 'GET /admin/audit', admin, {
      summary: 'List the audit log, newest first',
      input: { query: listAuditInput },
      output: { 200: ['A page of the audit log', auditPageSchema] },
      handler: (c) => listResponse(c, 'audit', auditColumns, (page) => listAudit(deps, c.req.valid('query'), page)),
    }),
    route('listSecurityEvents', 'GET /admin/security_events', admin, {
      summary: 'List the security log, newest first',
      input: { query: listSecurityEventsInput },
      output: { 200: ['A page of the security log', securityEventPageSchema] },
      handler: (c) =>
        listResponse(c, 'security', securityColumns, (page) => listSecurityEvents(deps, c.req.valid('query'), page)),
    }),
  ]
}
